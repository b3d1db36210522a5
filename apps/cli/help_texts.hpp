// What --help says below the options of each verb, and at its end for all: examples, exit codes.
#pragma once

namespace ricochet::cli {

inline constexpr const char* run_examples = R"(
Examples:
  ricochet run ball.toml                                  result in ball.h5
  ricochet run gallery:bouncing-ball -o ball.csv          a scenario that comes with it
  ricochet run ball.toml --until 10 --step 1e-4
  ricochet run ball.toml --set model.parameters.g=1.62 --set model.constraint.floor.restitution=0.5
  ricochet run ball.toml --scheme moreau-jean --set scheme.theta=1
  ricochet run ball.toml --json --no-output               numbers for another program
  ricochet run stack.toml --dump-problems 3               stack-problem-1.hdf5, … beside the result

Exit codes: 0 done; 2 bad usage or scenario; 3 the run failed or was interrupted, the result so far is written.)";

inline constexpr const char* check_examples = R"(
Looks whether the problem is well posed: mass, start, gradients of the gaps, kinetic angles between constraints that can
be closed together, restitution, formulas with kinks, stiffness against the step. Runs nothing that is kept.

Examples:
  ricochet check ball.toml                                findings with numbers, then the verdict
  ricochet check gallery:corner --set model.constraint.wall.restitution=0
  ricochet check ball.toml --scheme moreau --step 0.1     is that step stable?
  ricochet check ball.toml --json                         continuous_dependence is true, false or null

Exit codes: 0 a verdict was reached, good or bad; 2 bad usage or scenario.)";

inline constexpr const char* modes_examples = R"(
Small motions about a state: natural frequencies, damping ratios and shapes. Contacts are open, or closed where they are
named: their gaps are held as joints are. "along x" is the share of the mass that moves along x in this mode.

Examples:
  ricochet modes gallery:beam-pendulum                    about the undeformed beam
  ricochet modes gallery:guided-pipe --closed guide-lower --number 5
  ricochet modes frame.toml --about equilibrium           the beam sags first
  ricochet modes frame.toml --set initial.q.A_angle=1     about a state of your own
  ricochet modes frame.toml -o modes.csv --svg modes.svg  a table with shapes, a picture
  ricochet modes gallery:double-pendulum-wall --json      numbers for another program

Exit codes: 0 done; 2 bad usage or scenario, or there are no modes.)";

inline constexpr const char* report_examples = R"(
One HTML file that needs no network: time histories, phase portrait, contacts, energy account, impacts, animation.

Examples:
  ricochet report ball.h5                                 page in ball.html
  ricochet report ball.npz -o pages/ball.html             CSV and NPZ results do as well
  ricochet report ball.h5 --svg ball.svg                  also one picture for a paper
  ricochet report ball.h5 --live                          change its numbers in the page and see
  ricochet report study.h5 --svg study.svg                what sweep, converge, compare, orbit and continue wrote
  ricochet run ball.toml --report ball.html               run and page at once)";

inline constexpr const char* playground_examples = R"(
One HTML file of less than 3 MB that needs no network: the gallery, a scenario as text with its errors in place, a slider
for every number, any scheme, two of them side by side; the motion follows while a slider moves. What is computed there
are the program's own numbers.

Examples:
  ricochet playground -o play.html                        open it in a browser
  ricochet playground ball.toml -o ball.html              begins with a scenario of your own)";

inline constexpr const char* converge_examples = R"(
Runs schemes over a range of steps, measures their errors against the known answer, a computed reference or a result
file, and fits orders: sup, L1 and L2 of q, L1 and L2 of v, Hausdorff distance of the graphs of v, energy.

Examples:
  ricochet converge gallery:lecture-ball --schemes moreau-jean,moreau --steps 0.04:5 --window 0:1.6
  ricochet converge gallery:impact-oscillator --schemes moreau-jean:theta=1,mannshardt:tableau=gauss-3
  ricochet converge ball.toml --steps 1e-2,5e-3,2.5e-3 --reference event-driven --json
  ricochet converge gallery:lecture-ball --local --steps 0.01:4      one step across an impact, by its phase

Exit codes: 0 done; 2 bad usage or scenario; 3 interrupted.)";

inline constexpr const char* compare_examples = R"(
Error against CPU time, steps and force evaluations for all schemes that take the problem, and a recommendation drawn
from the data. Where motion is chaotic, means and distributions of impacts are compared.

Examples:
  ricochet compare gallery:impact-oscillator
  ricochet compare ball.toml --schemes moreau-jean,event-driven --accuracy 1e-4
  ricochet compare ball.toml --steps 0.01:6 --tolerances 1e-3,1e-6,1e-9 -o work.h5
  ricochet compare gallery:chaotic-oscillator --period 2*pi/w        phases of the impacts in the period of the load
  ricochet compare --suite                                           the benchmark suite

Exit codes: 0 done; 2 bad usage or scenario; 3 interrupted.)";

inline constexpr const char* sweep_examples = R"(
Runs the trajectories of the scenario's [sweep] table: parameter scans, bifurcation diagrams, basins of attraction.
What is finished is kept in FILE.h5.journal until the result is complete: after a kill, a full disk or Ctrl-C the same
command goes on from there. The result has the same bytes for any number of threads, lanes and processes.

Examples:
  ricochet sweep oscillator.toml                          result in oscillator.h5
  ricochet sweep oscillator.toml -o scan.h5 --csv scan.csv --report scan.html
  ricochet sweep oscillator.toml --set sweep.duration=50  with one value changed
  ricochet sweep oscillator.toml --restart                drops what an earlier sweep has left
  mpirun -n 4 ricochet sweep oscillator.toml              four processes, also on several machines

Exit codes: 0 done, also if some trajectories failed; 2 bad usage or scenario; 3 interrupted, or all of them failed.)";

inline constexpr const char* analyse_examples = R"(
What a result says about its contacts: impacts a second, how their speeds and impulses are distributed, the share of
time in contact, mean and peak forces, the work that impacts and friction take a second (wear). And about any of its
quantities: mean, RMS, extremes, crest factor, power spectral density (Welch: Hann's window, half overlapping segments),
spectrogram and envelope.

Examples:
  ricochet analyse tube.h5                                tables for reading
  ricochet analyse tube.h5 --window 1:10 --force-window 1e-4
  ricochet analyse tube.h5 --quantity tip,support.gap --segment 4096 --svg tube.svg
  ricochet analyse tube.h5 --csv tube                     tube.contacts.csv, tube.spectrum.csv, …
  ricochet analyse tube.h5 --json                         numbers for another program

Exit codes: 0 done; 2 bad usage or file.)";

inline constexpr const char* orbit_examples = R"(
Simulates until the motion repeats, reads off its impacts and refines it by Newton's method to round-off: period, impacts
of one period, Floquet multipliers, stable or not. The table [orbit] says more: the period of the load, coordinates that
come back shifted, or that [initial] is a guess, which finds unstable orbits too.

Examples:
  ricochet orbit gallery:periodic-orbit
  ricochet orbit oscillator.toml --set orbit.period=2*pi/w
  ricochet orbit oscillator.toml --set orbit.guess=1      [initial] is close to an orbit of one period
  ricochet orbit oscillator.toml --json                   numbers for another program
  ricochet orbit oscillator.toml -o orbit.h5 --report orbit.html

Exit codes: 0 found; 2 bad usage or scenario; 3 not found, or interrupted.)";

inline constexpr const char* continue_examples = R"(
Finds an orbit as `ricochet orbit` does and follows it along a parameter, both ways, stable or not: folds, flips, tori,
branch points, grazing, impacts that are lost or meet, sticking that begins are located to 1e-8, each with a sentence.
With --branches the orbits that begin at flips and at grazing are followed too. With --second the folds, flips and
grazing points that were found are followed as curves in both parameters.

Examples:
  ricochet continue oscillator.toml --along model.parameters.A=0.05:1.2
  ricochet continue oscillator.toml --along model.parameters.w=2:4 --branches --report branches.html
  ricochet continue oscillator.toml --along model.parameters.w=2:4 -o branches.h5 --csv branches.csv
  ricochet continue oscillator.toml --along model.parameters.w=2:4 --second model.parameters.A=0.1:1 --report map.html
  ricochet continue oscillator.toml                       with a table [continue]

Exit codes: 0 done; 2 bad usage or scenario; 3 no orbit was found, or interrupted.)";

inline constexpr const char* solve_examples = R"(
Solves one contact problem with Coulomb friction, given in FCLIB's format: u = W r + q, or M v = f + H r, u = Hᵀ v + w.
The residual is the largest distance from Coulomb's law of a contact, scaled to unit diagonal, relative to the largest
entry of q.

Examples:
  ricochet solve pile.hdf5                                residual, iterations, time
  ricochet solve pile.hdf5 -o solved.hdf5                 the problem with its solution, as FCLIB
  ricochet solve pile.hdf5 --solver gauss-seidel --tolerance 1e-8
  ricochet solve pile.hdf5 --json                         numbers for another program

Exit codes: 0 solved; 2 bad usage or file; 3 not solved, the best that was found is written.)";

inline constexpr const char* gallery_examples = R"(
Examples:
  ricochet gallery                                        what there is
  ricochet gallery bouncing-ball > ball.toml              a file to begin with
  ricochet gallery ground-motion.csv > ground-motion.csv  a file that a scenario names
  ricochet run gallery:bouncing-ball)";

inline constexpr const char* schemes_examples = R"(
Examples:
  ricochet schemes                                        what there is
  ricochet schemes moreau-jean                            its order, parameters and reference
  ricochet schemes --json)";

inline constexpr const char* solvers_examples = R"(
Examples:
  ricochet solvers                                        what there is
  ricochet solvers active-set                             what it is good for, its reference
  ricochet run ball.toml --set solver.name=lemke)";

inline constexpr const char* help_examples = R"(
Examples:
  ricochet help run                                       the same as ricochet run --help
  ricochet help run --man | man -l -                      as a page of the manual)";

inline constexpr const char* completion_examples = R"(
Prints what makes a shell complete commands, options, schemes, scenarios of the gallery and keys after --set. A package
that is installed has it already.

Examples:
  ricochet completion bash > ~/.local/share/bash-completion/completions/ricochet
  ricochet completion zsh > "${fpath[1]}/_ricochet"
  ricochet completion fish > ~/.config/fish/completions/ricochet.fish)";

inline constexpr const char* program_examples = R"(
Examples:
  ricochet run gallery:bouncing-ball                      runs a scenario that comes with it
  ricochet check gallery:corner                           is the problem well posed?
  ricochet gallery bouncing-ball > ball.toml              prints it as a file to begin with
  ricochet run ball.toml --set model.parameters.g=1.62    runs a file, with one value changed
  ricochet run --help                                     all about a command)";

}  // namespace ricochet::cli
