/**
 * A module for Node's hooks on modules, as text: Node 20 runs it in a thread of its own, later ones in ours, so it is
 * plain JavaScript. `hermes` is the one that runs, so that its errors are known; `valibot` the user's, else ours.
 */
export const HOOKS = `
export function hooksOf({ hermes, valibot, sources }) {
  return {
    resolve(specifier, context, next) {
      if (specifier === 'hermes') return { url: hermes, shortCircuit: true }
      if (specifier !== 'valibot') return next(specifier, context)
      const ours = () => ({ url: valibot, format: 'module', shortCircuit: true })
      try {
        const found = next(specifier, context)
        return typeof found.then === 'function' ? found.catch(ours) : found
      } catch {
        return ours()
      }
    },
    load(url, context, next) {
      const source = sources[url]
      return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true }
    },
  }
}
let hooks
export function initialize(data) {
  hooks = hooksOf(data)
}
export const resolve = (...given) => hooks.resolve(...given)
export const load = (...given) => hooks.load(...given)
`
