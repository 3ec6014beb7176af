import * as v from 'valibot'

/** A string parameter with a description, the plainest kind there is. */
export function text(description: string) {
  return v.pipe(v.string(), v.description(description))
}

/**
 * A path written absolute (seed 002's `format: absolute_path`). The check itself is made at conversion, since it
 * depends on the run: `relativePaths` and root aliases.
 */
export function absolutePath(description: string) {
  return v.pipe(v.string(), v.description(description), v.metadata({ format: 'absolute_path' }))
}

/** A whole number from `min` up. */
export function integer(description: string, min: number) {
  return v.pipe(v.number(), v.integer(), v.minValue(min), v.description(description))
}
