import type { SyntaxNode } from '../../../../2-syntax/src/index.js'
import type { IndexedUnits } from './indexed-units.js'
import { fieldOf, partOf, wordsOf } from './scoped-nodes.js'
import { ScopedNames } from './scoped-names.js'
import { isCallable, isType, type Role, type Target, UNKNOWN } from './scoped-targets.js'
import type { Declared, Scope, ScopedUse, Unit } from './scoped-unit.js'

/** What an identifier means. */
export interface ScopedMeaning {
  target: Target
  /** For a member: what it is a member of. */
  of?: Target
}

const EVERYWHERE = Infinity
/** Values whose type is the one that declares them. */
const CASES = /^enum_(?:constant|variant|member_declaration)$/
const MOST_DEPTH = 40

/** Finds the meaning of identifiers, by scopes, imports and declared types. */
export class ScopedMeanings {
  readonly names: ScopedNames
  readonly #open = new Set<Declared>()
  #depth = 0

  constructor(index: IndexedUnits) {
    this.names = new ScopedNames(index, (node, scope) => this.#named(node, scope, EVERYWHERE, 'type'))
  }

  /** Meaning of the identifier at a place; `undefined` where there is none. */
  meaningAt(unit: Unit, line: number, column: number): ScopedMeaning | undefined {
    const place = `${line}:${column}`
    const declared = unit.declared.get(place)
    if (declared) return { target: { kind: 'declared', all: [declared] } }
    const use = unit.uses.get(place)
    return use && this.#meaningOf(use, unit)
  }

  #meaningOf({ node, around, scope, at }: ScopedUse, unit: Unit): ScopedMeaning {
    const { table } = unit
    const name = node.text ?? ''
    const statement = around.findIndex((each) => table.imports(each) !== undefined)
    if (statement !== -1) return { target: this.#importedAt(node, around.slice(statement), scope) }
    if (around.some(({ type }) => /^(?:package_|file_scoped_namespace_)/.test(type))) return { target: UNKNOWN }
    const special = table.special?.(around, node)
    if (special === 'unknown') return { target: UNKNOWN }
    if (special) return this.#member(this.#valueOf(this.#named(special, scope, at)), name, unit)
    const [written, parent] = wholeName(node, around)
    const access = parent && table.access[parent.type]
    if (parent && access && partOf(parent, access[1]) === written) {
      const object = partOf(parent, access[0])
      const role = table.separate ? roleIn(parent) : undefined
      if (object && object !== written) {
        const of = this.#objectOf(object, parent, scope, at)
        if (isUnseen(of, unit)) return { target: seen(this.#inPackage(parent, scope), parent, unit), of }
        const meaning = this.#member(of, name, unit, role, parent.type)
        // `super.m()` calls exactly that member: without `of`, no override is considered.
        return table.parent.has(object.text ?? '') ? { target: meaning.target } : meaning
      }
    }
    const leaf = this.#leaf(node, scope, at, table.separate ? roleOf(node, parent) : undefined)
    const target = this.#withConstructors(seen(leaf, node, unit), name, unit, parent)
    const own = table.seesMembers ? typeAround(scope)?.owner : undefined
    return { target, ...(own && { of: { kind: 'declared', all: [own] } }) }
  }

  /** Adds the constructors where an object is created. */
  #withConstructors(target: Target, name: string, unit: Unit, parent: SyntaxNode | undefined): Target {
    if (parent?.type !== 'object_creation_expression' || target.kind !== 'declared') return target
    const [type] = target.all.filter(isType)
    const own = type ? this.names.members(this.names.keyOf(type), name, unit) : []
    return { kind: 'declared', all: [...target.all, ...own.filter(isCallable)] }
  }

  #member(of: Target, name: string, unit: Unit, role?: Role, type?: string): ScopedMeaning {
    // A member of an external value may lead back into the root, since pointers stand for what they point to.
    if (of.kind === 'external' && type === 'field_expression') return { target: UNKNOWN, of }
    return { target: this.names.memberOf(of, name, unit, role) ?? UNKNOWN, of }
  }

  #importedAt(node: SyntaxNode, around: readonly SyntaxNode[], scope: Scope): Target {
    const { table } = scope.unit
    if (table.modules === 'directories') return UNKNOWN
    let path: string[] = []
    let child = node
    for (const holder of around.toReversed()) {
      if (child.field === 'alias' || (child.field === 'name' && holder.type === 'using_directive')) {
        return this.names.lookUp(node.text ?? '', scope, EVERYWHERE)
      }
      const access = table.access[holder.type]
      if (access && partOf(holder, access[1]) === child) path = wordsOf(holder)
      else if (path.length === 0) path = [node.text ?? '']
      if (holder.type === 'scoped_use_list' && child.field === 'list') {
        const before = fieldOf(holder, 'path')
        path = [...before ? wordsOf(before) : [], ...path]
      }
      // The path continues after it: everything so far is its beginning.
      if (access && partOf(holder, access[0]) === child) break
      child = holder
    }
    return path.length === 1 && table.modules !== 'crates' ? this.names.lookUp(path[0]!, scope, EVERYWHERE)
      : this.names.imported({ path }, scope)
  }

  /** What an expression or type names: a variable rather than its value. */
  #named(node: SyntaxNode, scope: Scope, at: number, role?: Role): Target {
    if (this.#depth > MOST_DEPTH) return UNKNOWN
    this.#depth++
    try {
      return this.#namedIn(node, scope, at, role)
    } finally {
      this.#depth--
    }
  }

  #namedIn(node: SyntaxNode, scope: Scope, at: number, role: Role | undefined): Target {
    const { table } = scope.unit
    const same = table.same[node.type]
    if (same !== undefined) {
      const part = partOf(node, same)
      const namesType = same === 'type' || node.type.endsWith('type')
      return part ? this.#named(part, scope, at, namesType ? 'type' : role) : UNKNOWN
    }
    const callee = table.calls[node.type]
    if (callee !== undefined) {
      const called = callee === '' ? this.#accessed(node, scope, at) : this.#namedPart(node, callee, scope, at)
      return this.#returned(called, 0)
    }
    if (table.access[node.type]) return this.#accessed(node, scope, at, role)
    return node.children.length === 0 ? this.#leaf(node, scope, at, role) : UNKNOWN
  }

  #namedPart(node: SyntaxNode, part: string, scope: Scope, at: number): Target {
    const child = partOf(node, part)
    return child ? this.#named(child, scope, at) : UNKNOWN
  }

  #accessed(node: SyntaxNode, scope: Scope, at: number, role: Role | undefined = roleIn(node)): Target {
    const { table } = scope.unit
    const [objectPart, namePart] = table.access[node.type] ?? ['', '']
    const [object, written] = [partOf(node, objectPart), partOf(node, namePart)]
    const name = written && firstWord(written)
    if (name === undefined) return UNKNOWN
    const meant = table.separate ? role : undefined
    if (!object) return this.names.lookUp(name, scope, at, meant)
    const of = this.#objectOf(object, node, scope, at)
    // A member of an external value may hold something of the root.
    const isPath = of.kind !== 'external' || of.isPackage || role === 'type' || node.type.startsWith('scoped_')
    if (!isPath && !isUnseen(of, scope.unit)) return UNKNOWN
    if (isUnseen(of, scope.unit)) return this.#inPackage(node, scope)
    return this.#member(of, name, scope.unit, meant, node.type).target
  }

  #objectOf(object: SyntaxNode, holder: SyntaxNode, scope: Scope, at: number): Target {
    const isModule = object.type === 'self' && holder.type.startsWith('scoped_')
    if (isModule) return this.names.imported({ path: ['self'] }, scope)
    return this.#valueOf(this.#named(object, scope, at, roleIn(holder) === 'type' ? 'type' : undefined))
  }

  /** Resolves `a.b.C` where nothing is named `a`, as beginning with a package. */
  #inPackage(node: SyntaxNode, scope: Scope): Target {
    const path = pathOf(node, scope.unit)
    const target = path ? this.names.absolute(path, scope.unit) : UNKNOWN
    return target.kind === 'external' || (target.kind === 'unknown' && path) ? UNSEEN : target
  }

  #leaf(node: SyntaxNode, scope: Scope, at: number, role: Role | undefined): Target {
    const { table } = scope.unit
    const name = node.text ?? ''
    if (table.self.has(name)) return typeAround(scope) ? this.#ownType(scope) : UNKNOWN
    if (table.parent.has(name)) {
      const around = typeAround(scope)
      const supers = around ? this.names.supersOf([around]) : []
      return supers[0] ?? UNKNOWN
    }
    const isModule = table.modules === 'crates' && (name === 'crate' || name === 'super')
    if (isModule) return this.names.imported({ path: [name] }, scope)
    return node.type.endsWith('identifier') ? this.names.lookUp(name, scope, at, role) : UNKNOWN
  }

  #ownType(scope: Scope): Target {
    const around = typeAround(scope)
    if (around?.implOf) return this.#named(around.implOf, around.parent ?? around, EVERYWHERE, 'type')
    return around?.owner ? { kind: 'declared', all: [around.owner] } : UNKNOWN
  }

  /** The type of the value that is named; for a type the type itself. */
  #valueOf(target: Target): Target {
    if (target.kind !== 'declared') return target
    const types = target.all.filter(isType)
    if (types.length > 0) return { kind: 'declared', all: types }
    const variable = target.all.findLast((meaning) => !isCallable(meaning))
    if (!variable || this.#open.has(variable)) return UNKNOWN
    this.#open.add(variable)
    try {
      return this.#typeOf(variable)
    } finally {
      this.#open.delete(variable)
    }
  }

  #typeOf({ type, value, node, scope }: Declared): Target {
    if (type) return onlyTypes(this.#named(type, scope, EVERYWHERE, 'type'))
    if (CASES.test(node.type)) return this.#ownType(scope)
    if (!value) return UNKNOWN
    const { node: written, index, at } = value
    if (written.type !== 'expression_list') return this.#valueOf(this.#named(written, scope, at))
    const single = written.children.length === 1 ? written.children[0] : undefined
    const callee = single && scope.unit.table.calls[single.type]
    if (single && callee) return this.#returned(this.#namedPart(single, callee, scope, at), index)
    const own = written.children[index]
    return own ? this.#valueOf(this.#named(own, scope, at)) : UNKNOWN
  }

  /** The type of a call's result (of one of several results); for a type, of the value made. */
  #returned(target: Target, index: number): Target {
    if (target.kind !== 'declared') return UNKNOWN
    const types = target.all.filter(isType)
    if (types.length > 0) return { kind: 'declared', all: types }
    const [first, ...others] = target.all.filter(isCallable).map((symbol) => this.#resultOf(symbol, index))
    const isSame = others.every((other) => this.#keyOf(other) === this.#keyOf(first))
    return first && isSame ? first : UNKNOWN
  }

  #resultOf({ node, scope, unit }: Declared, index: number): Target {
    const written = unit.table.returns.map((field) => fieldOf(node, field)).find((each) => each)
    const result = written?.type === 'parameter_list' ? written.children[index] : index === 0 ? written : undefined
    const type = result?.type === 'parameter_declaration' ? fieldOf(result, 'type') : result
    return type ? onlyTypes(this.#named(type, scope, EVERYWHERE, 'type')) : UNKNOWN
  }

  #keyOf(target: Target | undefined): string {
    return target?.kind === 'declared' && target.all[0] ? this.names.keyOf(target.all[0]) : target?.kind ?? ''
  }
}

/** A name that is not visible from a place. */
const UNSEEN: Target = { kind: 'external', module: '' }

/**
 * An invisible name may be generated code, so unknown; except for Java's classes and their members, which are external.
 */
function seen(target: Target, node: SyntaxNode, unit: Unit): Target {
  if (!isUnseen(target, unit)) return target
  const isClass = wordsOf(node).some((word) => /^\p{Lu}/u.test(word))
  return isClass && !unit.table.modulesNest ? target : UNKNOWN
}

/** The parts of a dotted name. */
function pathOf(node: SyntaxNode, unit: Unit): string[] | undefined {
  if (node.children.length === 0) return [node.text ?? '']
  const access = unit.table.access[node.type]
  const [object, name] = access?.map((part) => partOf(node, part)) ?? []
  const before = object && pathOf(object, unit)
  const last = name && firstWord(name)
  if (!before || last === undefined) return undefined
  return before[0] === 'global' && before.length === 1 ? [last] : [...before, last]
}

function isUnseen(target: Target, { table }: Unit): boolean {
  return table.modules === 'names' && target.kind === 'external' && target.module === ''
}

/** The target if it is a type; a type parameter is unknown. */
function onlyTypes(target: Target): Target {
  return target.kind === 'declared' && !target.all.some(isType) ? UNKNOWN : target
}

/** A name with its type arguments, and the node around both. */
function wholeName(node: SyntaxNode, around: readonly SyntaxNode[]): [SyntaxNode, SyntaxNode | undefined] {
  const parent = around.at(-1)
  const isGeneric = parent && /^generic_(?:name|type)$/.test(parent.type) && parent.children[0] === node
  return isGeneric ? [parent, around.at(-2)] : [node, parent]
}

function firstWord(node: SyntaxNode): string | undefined {
  return node.children[0] ? firstWord(node.children[0]) : node.text
}

function roleIn({ type }: SyntaxNode): Role | undefined {
  if (type === 'method_invocation' || type === 'method_reference') return 'method'
  return type === 'scoped_type_identifier' ? 'type' : type === 'field_access' ? 'value' : undefined
}

function roleOf(node: SyntaxNode, parent: SyntaxNode | undefined): Role {
  if (parent?.type === 'method_invocation' && node.field === 'name') return 'method'
  return node.type === 'type_identifier' || parent?.type.endsWith('annotation') ? 'type' : 'value'
}

function typeAround(scope: Scope): Scope | undefined {
  for (let around: Scope | undefined = scope; around; around = around.parent) {
    if (around.kind === 'type') return around
  }
  return undefined
}
