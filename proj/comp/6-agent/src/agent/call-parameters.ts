import { isRecord, parseJson } from '../../../0-contracts/src/index.js'

/**
 * The arguments of a call, as an object in any case: what is none stands under `arguments`. For people to look at; the
 * run itself reads the text strictly.
 */
export function parametersOf(args: string): Record<string, unknown> {
  const value = args.trim() === '' ? {} : parseJson(args)
  return isRecord(value) ? value : { arguments: args }
}
