/** Long work in steps: whoever drives it may let others have their turn between two of them. */
export type Steps<T> = Generator<undefined, T, undefined>

/** Takes all steps at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
