import { valueAt } from '../../../../0-text/src/index.js'
import type { SyntaxNode } from '../../../../2-syntax/src/index.js'
import type { IndexedUnits } from './indexed-units.js'
import type { ScopeImport } from './scope-table.js'
import { isCallable, isType, joined, type Role, type Target, targetOf, UNKNOWN } from './scoped-targets.js'
import type { Declared, Scope, Unit } from './scoped-unit.js'

/** Follows names through scopes, packages and imports. */
export class ScopedNames {
  /** Keys being followed: anything that depends on itself adds nothing. */
  readonly #open = new Set<string>()
  readonly #members = new Map<string, readonly Declared[]>()
  readonly #keys = new Map<Declared, string>()

  /** @param typeAt resolves a node that is a type */
  constructor(
    private readonly index: IndexedUnits, private readonly typeAt: (node: SyntaxNode, scope: Scope) => Target,
  ) {}

  /** The qualified name. */
  keyOf(declared: Declared): string {
    return valueAt(this.#keys, declared, () => joined(this.#ownerKey(declared), declared.name))
  }

  #ownerKey({ scope, unit, container, isLocal, line, column }: Declared): string {
    if (isLocal) return `${line}:${column} ${unit.path}`
    if (scope.implOf) {
      const type = this.#once(`impl ${unit.path}:${line}:${column}`, () => this.typeAt(scope.implOf!, scope.parent!))
      const [owner] = type?.kind === 'declared' ? type.all.filter(isType) : []
      if (owner) return this.keyOf(owner)
    }
    return container.reduce(joined, unit.module)
  }

  /** Definitions of a qualified name that other files can see. */
  members(owner: string, name: string, from: Unit): readonly Declared[] {
    const key = `${from.language} ${owner} ${name}`
    const known = this.#members.get(key)
    if (known) return known
    this.#members.set(key, [])
    const wanted = joined(owner, name)
    const declared = this.index.named(name, owner, from).filter((each) => this.keyOf(each) === wanted)
    this.#members.set(key, declared)
    return declared
  }

  /** @param at index of the use among the file's identifiers */
  lookUp(name: string, start: Scope, at: number, role?: Role): Target {
    const { unit } = start
    const { table } = unit
    let isOpen = false
    for (let scope: Scope | undefined = start; scope; scope = scope.parent) {
      if (scope.kind === 'module') {
        const target = this.inModule(scope, name, role)
        if (target) return isOpen && !(target.kind === 'declared' && target.all.every(isType)) ? UNKNOWN : target
        if (table.modules === 'crates') break
        continue
      }
      const own = (scope.names.get(name) ?? []).filter((symbol) => symbol.from <= at && this.#fits(symbol, role, unit))
      const plain = scope.kind === 'block' ? own : own.filter(({ isParameter }) => isParameter)
      if (plain.length > 0) return { kind: 'declared', all: lastOf(plain) }
      const imported = scope.imports.length > 0 ? this.inModule(scope, name, role) : undefined
      if (imported) return imported
      if (scope.kind !== 'type' || !table.seesMembers) continue
      const member = this.#memberOfScope(scope, name, role)
      if (member?.kind === 'declared') return member
      if (member) isOpen = true
    }
    if (isOpen) return UNKNOWN
    if (table.modules === 'crates') {
      const crate = this.index.packageAt(name, unit)
      return crate === undefined ? { kind: 'external', module: name } : { kind: 'module', key: crate }
    }
    // Methods may be generated code.
    return role === 'method' ? UNKNOWN : { kind: 'external', module: '' }
  }

  #memberOfScope(scope: Scope, name: string, role: Role | undefined): Target | undefined {
    if (scope.owner) return this.memberOf({ kind: 'declared', all: [scope.owner] }, name, scope.unit, role)
    const own = (scope.names.get(name) ?? []).filter((symbol) => this.#fits(symbol, role, scope.unit))
    return targetOf(own) ?? this.#inherited([scope], name, scope.unit, role)
  }

  /** A name in a module's scope: its own, else imported by name, else imported with all of a module. */
  inModule(scope: Scope, name: string, role?: Role): Target | undefined {
    const { unit, imports, parent, key } = scope
    return this.#once(`in ${unit.path} ${key} ${name} ${role}`, () => {
      for (const each of imports) {
        if (each.local !== name) continue
        const target = this.imported(each, scope)
        const isOther = target.kind === 'declared' && !target.all.some((symbol) => this.#fits(symbol, role, unit))
        if (!isOther) return target
      }
      // A block has only imports.
      const keys = scope.kind !== 'module' ? [] : unit.table.modulesNest ? keysAround(key, parent?.key) : [key]
      for (const around of keys) {
        const own = this.members(around, name, unit).filter((member) => this.#fits(member, role, unit))
        if (own.length > 0) return { kind: 'declared', all: own }
      }
      return this.#ofStars(scope, name, role)
    })
  }

  #ofStars(scope: Scope, name: string, role: Role | undefined): Target | undefined {
    let isOpen = false
    for (const each of scope.imports) {
      if (each.local !== undefined) continue
      const { table } = scope.unit
      const ofPackage = table.modules === 'names' ? this.members(each.path.join('.'), name, scope.unit) : []
      const inPackage = targetOf(ofPackage.filter((symbol) => this.#fits(symbol, role, scope.unit)))
      if (inPackage) return inPackage
      const target = this.#imported(each, scope)
      if (!target || target.kind === 'external') continue
      const member = this.memberOf(target, name, scope.unit, role)
      if (member?.kind === 'declared' || member?.kind === 'module') return member
      if (member?.kind === 'unknown' && target.kind !== 'module' && table.modules !== 'names') isOpen = true
    }
    return isOpen ? UNKNOWN : undefined
  }

  /** The target of an import. */
  imported(written: ScopeImport, scope: Scope): Target {
    return this.#imported(written, scope) ?? UNKNOWN
  }

  /** `undefined` where it depends on itself. */
  #imported({ path }: ScopeImport, scope: Scope): Target | undefined {
    const { unit } = scope
    switch (unit.table.modules) {
      case 'directories': {
        const inner = this.index.packageAt(path[0] ?? '', unit)
        if (inner !== undefined) return { kind: 'module', key: inner }
        return { kind: 'external', module: path[0] ?? '', isPackage: true }
      }
      case 'names': return this.absolute(path, unit)
      case 'crates': return this.#once(`use ${unit.path} ${scope.key} ${path.join('::')}`, () => (
        this.#inCrate(path, scope)
      ))
    }
  }

  /** Resolves a path from the topmost package. */
  absolute(path: readonly string[], from: Unit): Target {
    for (const [index, name] of path.entries()) {
      const first = targetOf(this.members(path.slice(0, index).join('.'), name, from))
      const target = first && this.#along(first, path.slice(index + 1), from)
      if (target?.kind === 'declared') return target
    }
    if (this.index.hasPackage(path, from)) return { kind: 'module', key: path.join('.') }
    const around = path.slice(0, -1)
    const isOwn = from.table.modulesNest ? !/^(?:System|Microsoft)$/.test(path[0] ?? '')
      : around.some((_, index) => this.index.hasPackage(around.slice(0, around.length - index), from))
    return isOwn ? UNKNOWN : { kind: 'external', module: around.join('.') }
  }

  #inCrate(path: readonly string[], scope: Scope): Target {
    const [first = '', ...rest] = path
    const crate = this.index.crateOf(scope.unit)
    let around = scopeOfModule(scope).key
    if (first === 'crate') return this.#along({ kind: 'module', key: crate }, rest, scope.unit) ?? UNKNOWN
    let names = path
    while (names[0] === 'self' || names[0] === 'super') {
      if (names[0] === 'super') around = around === crate ? around : around.slice(0, around.lastIndexOf('.'))
      names = names.slice(1)
    }
    if (names.length < path.length) return this.#along({ kind: 'module', key: around }, names, scope.unit) ?? UNKNOWN
    return this.#along(this.lookUp(first, scopeOfModule(scope), Infinity), rest, scope.unit) ?? UNKNOWN
  }

  #along(start: Target, names: readonly string[], from: Unit): Target | undefined {
    return names.reduce<Target | undefined>((target, name) => target && this.memberOf(target, name, from), start)
  }

  /** `undefined` where there is no such member. */
  memberOf(target: Target, name: string, from: Unit, role?: Role): Target | undefined {
    switch (target.kind) {
      case 'unknown': return target
      case 'external': return { kind: 'external', module: target.module }
      case 'module': {
        const own = this.members(target.key, name, from)
        if (own.length > 0) return { kind: 'declared', all: own }
        if (from.table.modules !== 'crates') return UNKNOWN
        const targets = this.index.scopesOf(target.key, from).map((scope) => this.inModule(scope, name))
        return targets.find((each) => each) ?? UNKNOWN
      }
      case 'declared': return this.#memberOfTypes(target.all.filter(isType), name, from, role)
    }
  }

  #memberOfTypes(
    types: readonly Declared[], name: string, from: Unit, role: Role | undefined,
  ): Target | undefined {
    const [type] = types
    if (!type) return UNKNOWN
    const key = this.keyOf(type)
    return this.#once(`member ${key} ${name} ${role}`, () => {
      if (type.node.type === 'mod_item') return this.memberOf({ kind: 'module', key }, name, from)
      const local = types.flatMap(({ body }) => body?.names.get(name) ?? []).filter(({ isParameter }) => !isParameter)
      const all = type.isLocal ? local : this.members(key, name, type.unit)
      // A constructor is not a member.
      const fitting = all.filter((each) => (
        this.#fits(each, role, type.unit) && !(isCallable(each) && type.unit.table.seesMembers && name === type.name)
      ))
      if (fitting.length > 0) return { kind: 'declared', all: fitting }
      if (/^type_(?:alias|item)$/.test(type.node.type) && type.type) {
        return this.memberOf(this.typeAt(type.type, type.scope), name, from, role)
      }
      const parts = type.isLocal ? types : this.members(this.#ownerKey(type), type.name, type.unit)
      return this.#inherited(parts.flatMap(({ body }) => body ?? []), name, from, role)
    })
  }

  #inherited(scopes: readonly Scope[], name: string, from: Unit, role: Role | undefined): Target | undefined {
    let isOpen = false
    for (const type of this.supersOf(scopes)) {
      const member = this.memberOf(type, name, from, role)
      if (member?.kind === 'declared') return member
      if (member) isOpen = true
    }
    return isOpen ? UNKNOWN : undefined
  }

  /** The base types of types. */
  supersOf(scopes: readonly Scope[]): Target[] {
    return scopes.flatMap((scope) => scope.supers.map((node) => this.typeAt(node, scope.parent ?? scope)))
  }

  #fits(declared: Declared, role: Role | undefined, { table }: Unit): boolean {
    if (!table.separate || role === undefined) return true
    if (role === 'method') return isCallable(declared)
    if (role === 'type') return declared.kind === 'class' || declared.node.type === 'type_parameter'
    return !isCallable(declared)
  }

  #once<Result>(key: string, find: () => Result): Result | undefined {
    if (this.#open.has(key)) return undefined
    this.#open.add(key)
    try {
      return find()
    } finally {
      this.#open.delete(key)
    }
  }
}

/** Of several variables the last; of functions all. */
function lastOf(declared: readonly Declared[]): readonly Declared[] {
  return declared.every(isCallable) ? declared : declared.slice(-1)
}

function scopeOfModule(scope: Scope): Scope {
  let around = scope
  while (around.kind !== 'module' && around.parent) around = around.parent
  return around
}

/** A namespace and those around it, down to one that another scope stands for. */
function keysAround(key: string, end: string | undefined): string[] {
  const keys: string[] = []
  for (let around = key; around !== end; around = around.slice(0, Math.max(0, around.lastIndexOf('.')))) {
    keys.push(around)
    if (around === '') break
  }
  return keys
}
