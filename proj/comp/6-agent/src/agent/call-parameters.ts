import { isRecord } from '../../../0-contracts/src/index.js'

/**
 * The arguments of a call, as an object in any case: what is none stands under `arguments`. For people to look at; the
 * run itself reads the text strictly.
 */
export function parametersOf(args: string): Record<string, unknown> {
  try {
    const value: unknown = args.trim() === '' ? {} : JSON.parse(args)
    return isRecord(value) ? value : { arguments: args }
  } catch (error) {
    if (error instanceof SyntaxError) return { arguments: args }
    throw error
  }
}
