import type { Limits, Permission, Ruling, SandboxMode } from '../../../0-contracts/src/index.js'

/** From loose to strict. */
export const PERMISSIONS: readonly Permission[] = ['on', 'ask', 'off']
export const SANDBOXES: readonly SandboxMode[] = ['none', 'auto', 'unshare', 'bwrap']

/** The strictest of what was set; of equals the first. `undefined` where nothing was. */
export function strictest<Value>(
  order: readonly Value[], rulings: readonly (Ruling<Value> | undefined)[],
): Ruling<Value> | undefined {
  return rulings.reduce((best, rule) => (
    rule !== undefined && (best === undefined || order.indexOf(rule.value) > order.indexOf(best.value)) ? rule : best
  ), undefined)
}

/** The smallest of each limit that any of them has. */
export function smallest(...limits: readonly Partial<Limits>[]): Partial<Limits> {
  const result: Partial<Limits> = {}
  for (const each of limits) {
    for (const [name, value] of Object.entries(each) as [keyof Limits, number][]) {
      result[name] = Math.min(result[name] ?? Infinity, value)
    }
  }
  return result
}
