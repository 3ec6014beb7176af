import * as v from 'valibot'

/** A line as Hermes' verbs take it: numbers the file does not have are `RANGE_INVALID`, 0 and less among them. */
export function lineNumber(description: string) {
  return v.pipe(v.number(), v.integer(), v.description(description))
}
