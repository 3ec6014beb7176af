import { unless } from '../../../../0-contracts/src/index.js'

/** `undefined` for what is no JSON, or nested too deeply. */
export function parsedJson(text: string): unknown {
  const isNone = (error: unknown): boolean => error instanceof SyntaxError || error instanceof RangeError
  return unless(isNone, () => JSON.parse(text) as unknown, undefined)
}
