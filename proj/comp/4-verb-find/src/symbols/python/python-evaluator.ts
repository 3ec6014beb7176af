import { OBJECT_NAMES, PROPERTIES, UNTYPED, WRAPPERS } from './python-builtins.js'
import type { NameLookup } from './python-names.js'
import { callBuiltin, callOutside } from './python-outside.js'
import type { Expression, PythonSymbol, Scope } from './python-scopes.js'
import {
  asClass, asInstance, BUILTINS, calledOn, distinct, instanceOf, nameOf, type Target, type Value,
} from './python-values.js'

const MOST_DEPTH = 60

/** Whether a class may have further members, inherited from external or unknown classes. */
type Openness = 'no' | 'external' | 'unknown'

/** Follows names and values through the modules of a root, without running anything. */
export class Evaluator {
  readonly #values = new Map<PythonSymbol, Value[]>()
  readonly #types = new Map<PythonSymbol, Value[]>()
  /** By the list of what a function returns. */
  readonly #returned = new Map<Expression[], Value[]>()
  /** Objects being evaluated: anything that depends on itself adds nothing. */
  readonly #open = new Set<object>()
  #depth = 0

  constructor(private readonly names: NameLookup) {}

  /** What an attribute of a value may be; empty where that is unknown. */
  attribute(value: Value, name: string): Target[] {
    switch (value.kind) {
      case 'unknown': return []
      case 'external': return [{ kind: 'external', module: value.module, name }]
      case 'function': return [{ kind: 'external', module: BUILTINS, name }]
      case 'directory':
      case 'module': {
        const target = this.names.ofModule(value, name)
        return target ? [target] : []
      }
      case 'class':
      case 'instance': {
        const { found, isOpen } = this.member(value.scope, name)
        if (found) return [{ kind: 'symbol', symbol: found }]
        if (isOpen === 'unknown') return []
        if (isOpen === 'external' || OBJECT_NAMES.has(name)) return [{ kind: 'external', module: BUILTINS, name }]
        return []
      }
    }
  }

  /** A member of a class, or of its base classes. */
  member(scope: Scope, name: string): { found?: PythonSymbol; isOpen: Openness } {
    let isOpen: Openness = 'no'
    for (const ancestor of this.#ancestors(scope)) {
      if (ancestor === 'unknown') isOpen = 'unknown'
      else if (ancestor === 'external') isOpen = isOpen === 'unknown' ? isOpen : 'external'
      else {
        const symbol = ancestor.symbols.get(name)
        if (symbol) return { found: symbol, isOpen }
      }
    }
    return { isOpen }
  }

  /** A class and its base classes, approximately in method resolution order. */
  #ancestors(scope: Scope): (Scope | Exclude<Openness, 'no'>)[] {
    if (this.#open.has(scope.bases)) return [scope]
    this.#open.add(scope.bases)
    const all: (Scope | Exclude<Openness, 'no'>)[] = [scope]
    for (const base of scope.bases) {
      const values = this.evaluate(base.kind === 'item' ? base.base : base)
      if (values.length === 0) all.push('unknown')
      for (const value of values) {
        if (value.kind === 'class') all.push(...this.#ancestors(value.scope))
        else all.push(value.kind === 'external' && !value.isResult ? 'external' : 'unknown')
      }
    }
    this.#open.delete(scope.bases)
    return [...new Set(all)]
  }

  /** Possible values of an expression; empty where nothing is known. */
  evaluate(expression: Expression): Value[] {
    return this.#deeper(() => this.#evaluate(expression))
  }

  /** Values that may be found by following others; none where that goes too far. */
  #deeper(find: () => Value[]): Value[] {
    if (this.#depth > MOST_DEPTH) return []
    this.#depth++
    try {
      return distinct(find())
    } finally {
      this.#depth--
    }
  }

  /** The values of something, found once. */
  #once<Key extends object>(known: Map<Key, Value[]>, key: Key, find: () => Value[]): Value[] {
    const before = known.get(key)
    if (before) return before
    if (this.#open.has(key)) return []
    this.#open.add(key)
    const values = distinct(find())
    this.#open.delete(key)
    known.set(key, values)
    return values
  }

  #evaluate(expression: Expression): Value[] {
    switch (expression.kind) {
      case 'unknown': return []
      case 'name':
      case 'attribute': {
        if (expression.narrowed) {
          const narrowed = this.instancesOf(expression.narrowed)
          if (narrowed.length > 0) return narrowed
        }
        const { kind, name } = expression
        if (kind === 'name') return this.#valuesOfTarget(this.names.lookUp(name, expression.scope))
        return this.evaluate(expression.base).flatMap((value) => this.#valuesOfAttribute(value, name))
      }
      case 'call': return this.#call(expression)
      case 'item': return this.#item(expression)
      case 'element': return this.evaluate(expression.base).flatMap((value) => this.elements(value))
      case 'nth':
        return this.evaluate(expression.base).flatMap((value) => {
          if (value.kind !== 'external' || value.name !== 'tuple') return this.elements(value)
          return value.parts?.length === 1 ? value.parts[0]! : value.parts?.[expression.index] ?? []
        })
      case 'entered': return this.evaluate(expression.base).flatMap((value) => this.#entered(value))
      case 'either': return expression.of.flatMap((each) => this.evaluate(each))
      case 'literal': {
        if (expression.type === 'None') return []
        const parts = expression.parts.map((part) => distinct(part.flatMap((each) => this.evaluate(each))))
        return [{ kind: 'external', module: BUILTINS, name: expression.type, isResult: true, parts }]
      }
      case 'instance': return this.instancesOf(expression.type)
    }
  }

  #valuesOfTarget(target: Target | undefined, self?: Value): Value[] {
    if (target?.kind !== 'symbol') return target ? [target] : []
    return this.#valuesOf(target.symbol).flatMap((value) => (
      value.kind === 'function' && self ? this.#bound(value.scope, self) : [value]
    ))
  }

  /** Value of a method as an attribute; for a property its return value. */
  #bound(scope: Scope, self: Value): Value[] {
    const names = scope.decorators.map(nameOf)
    if (scope.parent?.kind !== 'class') return [{ kind: 'function', scope }]
    if (names.some((name) => PROPERTIES.has(name))) return self.kind === 'instance' ? this.#returnsOf(scope, self) : []
    if (names.includes('setter') || names.includes('deleter')) return []
    return [{ kind: 'function', scope, self }]
  }

  #valuesOfAttribute(value: Value, name: string): Value[] {
    if (value.kind === 'external') return [{ ...value, name }]
    if (value.kind === 'instance' && name === '__class__') return [asClass(value)]
    return this.attribute(value, name).flatMap((target) => this.#valuesOfTarget(target, value))
  }

  #valuesOf(symbol: PythonSymbol): Value[] {
    return this.#once(this.#values, symbol, () => symbol.bindings.flatMap((binding): Value[] => {
      const { module } = symbol.scope
      switch (binding.kind) {
        case 'module': return this.#valuesOfTarget(this.names.modules.find(binding.module ?? '', module))
        case 'from':
          return this.#valuesOfTarget(this.names.imported(binding.module ?? '', binding.imported ?? '', module))
        case 'class': return binding.body ? [{ kind: 'class', scope: binding.body }] : []
        case 'function': return binding.body ? [{ kind: 'function', scope: binding.body }] : []
        case 'variable':
        case 'parameter': {
          if (binding.annotation) {
            const typed = this.instancesOf(binding.annotation)
            if (typed.length > 0) return typed
          }
          if (binding.value) return this.evaluate(binding.value)
          return binding.kind === 'parameter' ? this.#self(symbol) : []
        }
      }
    }))
  }

  /** Value of a method's first parameter. */
  #self(symbol: PythonSymbol): Value[] {
    const { scope } = symbol
    const owner = scope.parent
    if (owner?.kind !== 'class' || scope.parameters[0] !== symbol) return []
    const names = scope.decorators.map(nameOf)
    if (names.includes('staticmethod')) return []
    const isClass = names.includes('classmethod') || scope.name === '__new__' || scope.name === '__init_subclass__'
    return [{ kind: isClass ? 'class' : 'instance', scope: owner, isSelf: true }]
  }

  #call({ callee, args, scope }: Expression & { kind: 'call' }): Value[] {
    const isBuiltin = callee.kind === 'name' && this.names.lookUp(callee.name, scope)?.kind === 'external'
    const special = isBuiltin ? callBuiltin(callee.name, args, scope, this) : undefined
    if (special) return special
    return this.evaluate(callee).flatMap((value): Value[] => {
      switch (value.kind) {
        case 'class': return [asInstance(value)]
        case 'function': return this.#returnsOf(value.scope, value.self)
        case 'instance': return this.#callMethod(value, '__call__')
        case 'external': return callOutside(value, args, this)
        default: return []
      }
    })
  }

  /** The base classes of a class, as values: `super()` looks members up there. */
  superOf(owner: Scope): Value[] {
    const bases = owner.bases.flatMap((base) => this.evaluate(base.kind === 'item' ? base.base : base))
    return bases.map((value): Value => (value.kind === 'class' ? { kind: 'instance', scope: value.scope } : value))
  }

  #returnsOf(scope: Scope, self: Value | undefined): Value[] {
    return calledOn(self, scope.parent, this.#returnsOfBody(scope, self))
  }

  #returnsOfBody(scope: Scope, self: Value | undefined): Value[] {
    const { annotation, decorators } = scope
    if (annotation) {
      if (nameOf(annotation) === 'Self') return self ? [asInstance(self)] : []
      return this.instancesOf(annotation)
    }
    return this.#once(this.#returned, scope.returns, () => {
      const returned = scope.returns.flatMap((value) => this.evaluate(value))
      if (scope.yields.length === 0) return returned
      const elements = distinct(scope.yields.flatMap((value) => this.evaluate(value)))
      const isContextManager = decorators.some((each) => /^(?:async)?contextmanager$/.test(nameOf(each)))
      const name = isContextManager ? 'contextmanager' : 'generator'
      return [{ kind: 'external', module: BUILTINS, name, isResult: true, parts: [elements] }]
    })
  }

  #callMethod(value: Value, name: string): Value[] {
    return this.#valuesOfAttribute(value, name).flatMap((method) => (
      method.kind === 'function' ? this.#returnsOf(method.scope, value) : []
    ))
  }

  #item({ base, index }: Expression & { kind: 'item' }): Value[] {
    return this.evaluate(base).flatMap((value): Value[] => {
      if (value.kind === 'class') return [value]
      if (value.kind === 'instance') return this.#callMethod(value, '__getitem__')
      if (value.kind !== 'external') return []
      if (!value.isResult) return [{ ...value }]
      if (!value.parts) return value.name === 'str' ? [value] : []
      if (value.parts.length === 2 && value.name !== 'tuple') return value.parts[1]!
      const [at] = index
      if (value.name === 'tuple' && value.parts.length > 1) return at ? distinct(value.parts.flat()) : []
      return value.parts[0] ?? []
    })
  }

  /** The elements that iterating over a value yields. */
  elements(value: Value): Value[] {
    if (value.kind === 'external') {
      if (value.name === 'tuple') return distinct(value.parts?.flat() ?? [])
      return value.parts?.[0] ?? []
    }
    if (value.kind !== 'instance') return []
    const next = this.#callMethod(value, '__next__')
    if (next.length > 0) return next
    return this.#callMethod(value, '__iter__').flatMap((each) => (
      each.kind === 'instance' && each.scope === value.scope ? [] : this.elements(each)
    ))
  }

  #entered(value: Value): Value[] {
    if (value.kind === 'external') return value.parts?.[0] ?? [value]
    if (value.kind !== 'instance') return []
    const methods = [...this.#valuesOfAttribute(value, '__enter__'), ...this.#valuesOfAttribute(value, '__aenter__')]
    return methods.flatMap((method): Value[] => {
      if (method.kind !== 'function') return [method]
      return this.#returnsOf(method.scope, value).map((returned) => (
        returned.kind === 'instance' && this.#ancestors(value.scope).includes(returned.scope) ? value : returned
      ))
    })
  }

  /** The values that an annotation, or the argument of `isinstance`, allows. */
  instancesOf(type: Expression): Value[] {
    return this.#deeper(() => this.#instances(type))
  }

  #instances(type: Expression): Value[] {
    switch (type.kind) {
      case 'either': return type.of.flatMap((each) => this.instancesOf(each))
      case 'literal': return type.type === 'tuple' ? type.parts.flat().flatMap((each) => this.instancesOf(each)) : []
      case 'item': {
        const name = nameOf(type.base)
        const args = type.index
        if (WRAPPERS.has(name)) return args.flatMap((each) => this.instancesOf(each))
        if (name === 'Annotated') return args[0] ? this.instancesOf(args[0]) : []
        if (name === 'Type' || name === 'type') return args[0] ? this.instancesOf(args[0]).map(asClass) : []
        if (name === 'Callable' || name === 'Literal') return []
        const parts = args.map((each) => this.instancesOf(each))
        return this.instancesOf(type.base).map((value) => {
          if (value.kind !== 'external') return value
          return { ...value, name: name.toLowerCase() === 'tuple' ? 'tuple' : value.name, parts }
        })
      }
      case 'name':
      case 'attribute': {
        const targets = type.kind === 'name'
          ? [this.names.lookUp(type.name, type.scope)].flatMap((target) => target ?? [])
          : this.evaluate(type.base).flatMap((value) => this.attribute(value, type.name))
        return targets.flatMap((target) => this.#instancesOfTarget(target))
      }
      default: return this.evaluate(type).flatMap((value) => instanceOf(value))
    }
  }

  #instancesOfTarget(target: Target): Value[] {
    if (target.kind !== 'symbol') {
      if (target.kind !== 'external' || UNTYPED.has(target.name)) return []
      return [{ kind: 'external', module: target.module, name: target.name, isResult: true }]
    }
    const { symbol } = target
    return this.#once(this.#types, symbol, () => symbol.bindings.flatMap((binding): Value[] => {
      if (binding.kind === 'class' && binding.body) return [{ kind: 'instance', scope: binding.body }]
      // A type alias; a type variable stands for no type.
      if (binding.kind === 'variable' && binding.value) {
        return binding.value.kind === 'call' ? [] : this.instancesOf(binding.value)
      }
      if (binding.kind !== 'from') return []
      const further = this.names.imported(binding.module ?? '', binding.imported ?? '', symbol.scope.module)
      return further ? this.#instancesOfTarget(further) : []
    }))
  }
}
