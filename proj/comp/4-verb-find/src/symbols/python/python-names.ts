import { dirname } from 'node:path'
import { BUILTIN_NAMES } from './python-builtins.js'
import type { PythonModules } from './python-modules.js'
import type { PythonModule, PythonSymbol, Scope } from './python-scopes.js'
import { BUILTINS, type Target } from './python-values.js'

/** Follows names through scopes and imports. */
export class NameLookup {
  /** Symbols being followed: anything that depends on itself adds nothing. */
  readonly #open = new Set<object>()

  constructor(readonly modules: PythonModules) {}

  /** What a symbol stands for, with imports followed; itself if anything else is bound to it. */
  finals(symbol: PythonSymbol): (Target | undefined)[] {
    if (this.#open.has(symbol.bindings)) return []
    this.#open.add(symbol.bindings)
    const targets: (Target | undefined)[] = []
    for (const binding of symbol.bindings) {
      const { module } = symbol.scope
      if (binding.kind === 'module') {
        targets.push(this.modules.find(binding.module ?? '', module))
      } else if (binding.kind === 'from') {
        const target = this.imported(binding.module ?? '', binding.imported ?? '', module)
        if (target?.kind === 'symbol' && target.symbol !== symbol) targets.push(...this.finals(target.symbol))
        else if (target?.kind !== 'symbol') targets.push(target)
      } else if (!targets.some((each) => each?.kind === 'symbol' && each.symbol === symbol)) {
        targets.push({ kind: 'symbol', symbol })
      }
    }
    this.#open.delete(symbol.bindings)
    return targets
  }

  lookUp(name: string, start: Scope): Target | undefined {
    let scope: Scope | undefined = start
    while (scope) {
      // Methods do not see the names of their class.
      const isHidden = scope.kind === 'class' && scope !== start
      const symbol: PythonSymbol | undefined = isHidden ? undefined : scope.symbols.get(name)
      if (symbol) return { kind: 'symbol', symbol }
      scope = scope.elsewhere.get(name) === 'global' ? scope.module.scope : scope.parent
    }
    const { module } = start
    for (const star of module.scope.stars.toReversed()) {
      const target = this.imported(star, name, module, true)
      if (target) return target
    }
    if (BUILTIN_NAMES.has(name)) return { kind: 'external', module: BUILTINS, name }
    return undefined
  }

  /** @param isStar `*` imports only bound names, no submodules */
  imported(module: string, name: string, from: PythonModule, isStar = false): Target | undefined {
    const target = this.modules.find(module, from)
    // A package that imports a name from itself means its submodule.
    const inside = target?.kind === 'module' && target.module === from && !isStar
      ? this.modules.within(dirname(from.path), name) : undefined
    return inside ?? (target && this.ofModule(target, name, isStar))
  }

  ofModule(target: Target, name: string, isStar = false): Target | undefined {
    switch (target.kind) {
      case 'external': return isStar ? undefined : { kind: 'external', module: target.module, name }
      case 'directory': return this.modules.within(target.path, name)
      case 'symbol': return undefined
      case 'module': break
    }
    const { scope, path, exports } = target.module
    if (isStar && !exports(name)) return undefined
    const symbol = scope.symbols.get(name)
    if (symbol) return { kind: 'symbol', symbol }
    if (!isStar && /\/__init__\.pyi?$/.test(path)) {
      const inside = this.modules.within(dirname(path), name)
      if (inside) return inside
    }
    if (this.#open.has(scope.stars)) return undefined
    this.#open.add(scope.stars)
    try {
      for (const star of scope.stars.toReversed()) {
        const found = this.imported(star, name, target.module, true)
        if (found) return found
      }
    } finally {
      this.#open.delete(scope.stars)
    }
    return undefined
  }
}
