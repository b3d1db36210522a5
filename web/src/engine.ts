// The program in the page: the library as WebAssembly, in a worker. apps/playground/engine.cpp says what can be asked.
import { bytes_of, RunData } from "./data";

export interface Question {
  text: string;
  set: [string, string][]; // keys and values over those of the text
  scheme?: string; // in place of the [scheme] table
  seconds?: number; // for which a run may compute
}

// What a slider can move. Line and column, from 1, where the text gives it.
export interface NumberKey {
  key: string;
  value: number;
  lower: number | null;
  upper: number | null;
  line?: number;
  column?: number;
}

export interface Problem {
  error: string;
  line?: number;
  column?: number;
}
export interface Answer {
  run: Record<string, unknown>;
  page: RunData;
  numbers: NumberKey[];
  text: string; // the scenario with what was set
}
export interface Verdict {
  check: { conclusion: string; findings: { subject: string; verdict: string; sentence: string }[] };
}

export function is_problem(answer: object): answer is Problem {
  return "error" in answer;
}

const patience = 150; // ms that an older question may go on to keep a newer one waiting
const grace = 4; // seconds beyond its limit after which a run is given up

interface Job {
  request: string;
  limit: number; // ms
  begun: number;
  done: (answer: unknown) => void;
  lane: string;
}

const calm = 300; // ms after an answer, which is drawn first, until another worker is made ready

interface Crew {
  worker: Worker;
  ready: Promise<void>; // it has the engine
}

// One worker computes, another is ready: a question that was overtaken ends with its worker.
export class Engine {
  private url: string;
  private module: Promise<WebAssembly.Module>;
  private working?: Crew;
  private spare?: Crew;
  private job?: Job;
  private waiting: Job[] = [];

  // Nothing if the page carries no engine.
  static of_page(): Engine | null {
    const holder = document.getElementById("ricochet-engine");
    if (!holder) return null;
    const { worker, wasm } = JSON.parse(holder.textContent ?? "") as { worker: string; wasm: string };
    holder.remove();
    return new Engine(worker, wasm);
  }

  private constructor(script: string, packed: string) {
    this.url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    this.module = WebAssembly.compileStreaming(unpacked(packed));
    this.spare = this.made(); // it reads its script meanwhile
  }

  // A newer question of the same lane takes the place of an older one, which is then answered by null.
  run(question: Question, lane = "run"): Promise<Answer | Problem | null> {
    return this.ask({ ask: "run", ...question }, lane, question.seconds) as Promise<Answer | Problem | null>;
  }
  check(question: Question): Promise<Verdict | Problem | null> {
    return this.ask({ ask: "check", ...question }, "check") as Promise<Verdict | Problem | null>;
  }
  csv(question: Question): Promise<{ csv: string } | Problem | null> {
    return this.ask({ ask: "csv", ...question }, "csv", question.seconds) as Promise<{ csv: string } | Problem | null>;
  }

  private ask(request: object, lane: string, seconds = 5): Promise<unknown> {
    return new Promise((done) => {
      const overtaken = this.waiting.filter((job) => job.lane === lane);
      this.waiting = this.waiting.filter((job) => job.lane !== lane);
      overtaken.forEach((job) => job.done(null));
      this.waiting.push({ request: JSON.stringify(request), limit: 1000 * (seconds + grace), begun: 0, done, lane });
      this.go_on();
    });
  }

  private go_on(): void {
    const { job } = this;
    if (job) {
      const since = performance.now() - job.begun;
      // A verdict, too, gives way to a run.
      const next = this.waiting.find((one) => one.lane === job.lane || (job.lane === "check" && one.lane === "run"));
      if (next && since >= patience) this.give_up(null);
      else if (next) setTimeout(() => this.job === job && this.go_on(), patience - since);
      return;
    }
    const next = this.waiting.shift();
    if (!next) return;
    this.job = next;
    next.begun = performance.now();
    const late = { error: `This takes longer than ${next.limit / 1000} s and was given up here; the program itself takes as long as it needs.` };
    // Its time begins when the worker is there.
    if (!this.working) {
      this.working = this.spare ?? this.made();
      this.spare = undefined;
    }
    const { worker, ready } = this.working;
    void ready.then(() => {
      if (this.job !== next) return;
      worker.postMessage(next.request);
      setTimeout(() => this.job === next && this.give_up(late), next.limit);
    });
  }

  private made(): Crew {
    const worker = new Worker(this.url);
    worker.onmessage = (event) => this.answered(worker, JSON.parse(event.data as string));
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === this.working?.worker) this.give_up({ error: `The engine stopped: ${event.message}` });
    };
    return { worker, ready: this.module.then((module) => worker.postMessage(module)) };
  }

  private answered(worker: Worker, answer: unknown): void {
    if (worker !== this.working?.worker || !this.job) return;
    const { done } = this.job;
    this.job = undefined;
    done(answer);
    this.go_on();
    // The next that is overtaken should not wait for another to begin.
    setTimeout(() => (this.spare ??= this.made()), calm);
  }

  private give_up(answer: Problem | null): void {
    const job = this.job!;
    this.job = undefined;
    this.working?.worker.terminate();
    this.working = undefined;
    job.done(answer);
    this.go_on();
  }
}

// Packed by gzip, written in base64; compiled while it is unpacked.
function unpacked(text: string): Response {
  const packed = new Blob([bytes_of(text)]).stream();
  return new Response(packed.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": "application/wasm" } });
}
