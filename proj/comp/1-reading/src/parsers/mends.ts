import type { ParsedBlock } from '../../../0-contracts/src/index.js'

/** What is to be changed in a call, by the names that stand in it. */
export interface Mends {
  action?: string
  renames: ReadonlyMap<string, string>
  values: ReadonlyMap<string, unknown>
}

/** The call with the changes made. */
export function mendedCall(
  { action, params, format }: Pick<ParsedBlock, 'action' | 'params' | 'format'>, mends: Mends,
): Pick<ParsedBlock, 'action' | 'params'> {
  const meant = mends.action ?? action
  const isSham = format === 'sham' || format === 'nesl'
  return {
    action: meant,
    params: Object.fromEntries(Object.entries(params).map(([name, value]) => [
      mends.renames.get(name) ?? name,
      isSham && name === 'action' ? meant : mends.values.has(name) ? mends.values.get(name) : value,
    ])),
  }
}
