import { valueAt } from '../../../../0-text/src/index.js'
import { Evaluator } from './python-evaluator.js'
import { NameLookup } from './python-names.js'
import type { PythonModules } from './python-modules.js'
import type { PythonModule, Scope } from './python-scopes.js'
import { BUILTINS, type Meaning, nothingYet, type Target, type Value } from './python-values.js'

/** Finds the meaning of identifiers. */
export class Meanings {
  readonly #names: NameLookup
  readonly #evaluator: Evaluator
  readonly #known = new WeakMap<PythonModule, Map<string, Meaning | undefined>>()

  constructor(modules: PythonModules) {
    this.#names = new NameLookup(modules)
    this.#evaluator = new Evaluator(this.#names)
  }

  /** Meaning of the identifier at a place; `undefined` where there is none. */
  meaningAt(module: PythonModule, line: number, column: number): Meaning | undefined {
    const place = `${line}:${column}`
    return valueAt(valueAt(this.#known, module, () => new Map()), place, () => this.#meaningOfUse(module, place))
  }

  #meaningOfUse(module: PythonModule, place: string): Meaning | undefined {
    const use = module.uses.get(place)
    switch (use?.kind) {
      case undefined: return undefined
      case 'module': return this.#meaningOf(this.#names.modules.find(use.module, module))
      case 'name': return this.#meaningOf(this.#names.lookUp(use.name, use.scope))
      case 'imported': return this.#meaningOf(this.#names.imported(use.module, use.name, module))
      case 'attribute': return this.#meaningOfAttribute(this.#evaluator.evaluate(use.base), use.name)
      case 'keyword': return this.#meaningOfKeyword(this.#evaluator.evaluate(use.callee), use.name)
    }
  }

  #meaningOf(target: Target | undefined): Meaning {
    const meaning = nothingYet(target === undefined)
    if (target) this.#addTarget(meaning, target)
    return meaning
  }

  #addTarget(meaning: Meaning, target: Target): void {
    if (target.kind === 'external') meaning.external = target.module
    if (target.kind === 'module') meaning.modules.add(target.module)
    if (target.kind !== 'symbol') return
    for (const final of this.#names.finals(target.symbol)) {
      if (final === undefined) meaning.isUnknown = true
      else if (final.kind === 'symbol') meaning.symbols.add(final.symbol)
      else this.#addTarget(meaning, final)
    }
  }

  #meaningOfAttribute(values: readonly Value[], name: string): Meaning {
    const meaning = nothingYet(values.length === 0)
    for (const value of values) {
      const targets = this.#evaluator.attribute(value, name)
      if (targets.length === 0) meaning.isUnknown = true
      for (const target of targets) this.#addTarget(meaning, target)
    }
    return meaning
  }

  #meaningOfKeyword(callees: readonly Value[], name: string): Meaning {
    const meaning = nothingYet(callees.length === 0)
    for (const callee of callees) {
      if (callee.kind === 'external') {
        meaning.external = callee.module
        continue
      }
      const called = callee.kind === 'function' ? callee.scope : undefined
      const owner = callee.kind === 'class' ? this.#constructorOf(callee.scope) : called
      const parameter = owner?.parameters.find((symbol) => symbol.name === name)
      // Fields of a data class or a named tuple are arguments of its constructor.
      const field = callee.kind === 'class' && !owner ? this.#evaluator.member(callee.scope, name).found : undefined
      const symbol = parameter ?? field
      if (symbol) meaning.symbols.add(symbol)
      // Any other name goes into `**kwargs`, or is an error.
      else if (owner || callee.kind === 'class') meaning.external ??= BUILTINS
      else meaning.isUnknown = true
    }
    return meaning
  }

  #constructorOf(scope: Scope): Scope | undefined {
    return this.#evaluator.member(scope, '__init__').found?.bindings.find(({ body }) => body)?.body
  }
}
