#!/usr/bin/env python3
"""Writes gallery/ground-motion.csv: a ground acceleration that looks like a recorded one.

    python3 tools/ground_motion.py > gallery/ground-motion.csv

A stationary noise with the spectrum of Kanai and Tajimi (ground frequency 2.5 Hz, damping 0.6), as a sum of cosines
with phases from a fixed sequence, under an envelope that rises for 2 s, holds to 8 s and decays. The mean and the
drift of the velocity are taken out, and the largest value is 0.3 g. Values are rounded to seven places.
"""

import math

STEP, COUNT = 0.02, 751          # 15 s
GROUND, DAMPING = 2.5, 0.6       # Hz, ratio
LARGEST = 0.3                    # g


def phases(count):
    """Evenly spread numbers in [0, 1): a linear congruential sequence."""
    state = 20010815
    for _ in range(count):
        state = (1103515245 * state + 12345) % 2**31
        yield state / 2**31


def spectrum(frequency):
    """Kanai and Tajimi: the acceleration of the ground over white noise in the rock."""
    r = (frequency / GROUND) ** 2
    d = 4 * DAMPING**2 * r
    return (1 + d) / ((1 - r) ** 2 + d)


def envelope(t):
    if t < 2:
        return (t / 2) ** 2
    return 1.0 if t < 8 else math.exp(-0.45 * (t - 8))


def without_drift(values):
    """Less a + b t, so that the acceleration and its integral both end at zero."""
    n = len(values)
    total = sum(values)
    moment = sum(i * v for i, v in enumerate(values))
    s0, s1, s2 = n, n * (n - 1) / 2, (n - 1) * n * (2 * n - 1) / 6
    b = (s0 * moment - s1 * total) / (s0 * s2 - s1 * s1)
    a = (total - b * s1) / s0
    return [v - a - b * i for i, v in enumerate(values)]


def acceleration():
    frequencies = [0.3 + 0.07 * k for k in range(110)]  # to 8 Hz
    waves = [(f, math.sqrt(spectrum(f)), 2 * math.pi * p) for f, p in zip(frequencies, phases(len(frequencies)))]
    values = []
    for i in range(COUNT):
        t = i * STEP
        values.append(envelope(t) * sum(a * math.cos(2 * math.pi * f * t + p) for f, a, p in waves))
    values = without_drift(values)
    largest = max(abs(v) for v in values)
    return [LARGEST * v / largest for v in values]


def main():
    print("# A ground acceleration like a recorded one; tools/ground_motion.py writes it.")
    print("time_s,acceleration_g")
    for i, value in enumerate(acceleration()):
        print(f"{i * STEP:.2f},{value:.7f}")


if __name__ == "__main__":
    main()
