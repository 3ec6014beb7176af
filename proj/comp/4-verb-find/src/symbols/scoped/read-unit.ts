import type { ApprovedPath } from '../../../../0-contracts/src/index.js'
import { addTo } from '../../../../0-text/src/index.js'
import type { LanguageId, SyntaxNode, VisibleDefinition } from '../../../../2-syntax/src/index.js'
import type { LanguageScopes } from './scope-table.js'
import { fieldOf, wordsOf } from './scoped-nodes.js'
import type { Declared, Scope, Unit } from './scoped-unit.js'

interface Source {
  path: ApprovedPath
  language: LanguageId
  table: LanguageScopes
  /** Package or module, if the path determines it. */
  module: string | undefined
  tree: SyntaxNode
  definitions: readonly VisibleDefinition[]
}

/** Reads a file into scopes, with the declarations in them and the places of its identifiers. */
export function readUnit({ path, language, table, module, tree, definitions }: Source): Unit {
  const unit = {
    path, language, table, module: module ?? table.moduleOf?.(tree, path) ?? '', declared: new Map(), uses: new Map(),
  } as unknown as Unit
  unit.scope = newScope('module', unit, undefined)
  unit.scope.key = unit.module
  const declared = new Map(definitions.map((each) => [`${each.nameLine}:${each.nameColumn}`, each]))
  new UnitReader(unit, declared).node(tree, unit.scope)
  return unit
}

function newScope(kind: Scope['kind'], unit: Unit, parent: Scope | undefined): Scope {
  return { kind, unit, ...(parent && { parent }), names: new Map(), key: parent?.key ?? '', imports: [], supers: [] }
}

class UnitReader {
  readonly #around: SyntaxNode[] = []
  readonly #opened: { scope: Scope; node: SyntaxNode }[] = []
  /** Declarations of enclosing statements, which cannot be used before the statement ends. */
  readonly #pending: { scope: Scope; declared: Declared[]; at: number }[] = []
  #at = 1

  constructor(private readonly unit: Unit, private readonly declared: ReadonlyMap<string, VisibleDefinition>) {}

  node(node: SyntaxNode, outer: Scope): void {
    const { types, blocks, moduleNodes, statements } = this.unit.table
    const imports = this.unit.table.imports(node)
    if (imports) outer.imports.push(...imports)
    const isBody = node.children.some(({ type }) => type === 'class_body') && !types.has(node.type)
    const kind = types.has(node.type) ? 'type' : moduleNodes?.has(node.type) ? 'module'
      : blocks.has(node.type) ? 'block' : undefined
    const scope = kind ? this.#open(kind, node, outer) : isBody ? this.#open('type', node, outer) : outer
    if (statements.has(node.type)) this.#pending.push({ scope, declared: [], at: this.#at })
    if (node.children.length === 0) this.#leaf(node, scope)
    this.#around.push(node)
    for (const child of this.#inOrder(node)) this.node(child, scope)
    this.#around.pop()
    if (statements.has(node.type)) {
      const { declared = [] } = this.#pending.pop() ?? {}
      this.#at++
      for (const each of declared) each.from = this.#at
    }
    if (scope !== outer) this.#opened.pop()
  }

  #open(kind: Scope['kind'], node: SyntaxNode, outer: Scope): Scope {
    const scope = newScope(kind, this.unit, outer)
    this.#opened.push({ scope, node })
    if (kind === 'module') {
      const name = fieldOf(node, 'name')
      scope.key = [outer.key, ...name ? wordsOf(name) : []].filter((part) => part !== '').join('.')
    }
    if (kind !== 'type') return scope
    const created = node.type === 'object_creation_expression' ? fieldOf(node, 'type') : undefined
    scope.supers = created ? [created] : this.unit.table.supers(node)
    const impl = this.unit.table.impl?.[node.type]
    const type = impl === undefined ? undefined : fieldOf(node, impl)
    if (type) scope.implOf = type
    return scope
  }

  /** Children in order of evaluation: what a loop iterates over comes before its variables. */
  #inOrder(node: SyntaxNode): readonly SyntaxNode[] {
    if (!this.unit.table.loops.has(node.type)) return node.children
    const isFirst = ({ field }: SyntaxNode): boolean => field === 'value' || field === 'right'
    return [...node.children.filter(isFirst), ...node.children.filter((child) => !isFirst(child))]
  }

  #leaf(node: SyntaxNode, scope: Scope): void {
    const place = `${node.line}:${node.column}`
    this.unit.uses.set(place, { node, around: [...this.#around], scope, at: ++this.#at })
    const definition = this.declared.get(place)
    if (definition) this.#declare(definition, node, scope)
  }

  #declare(definition: VisibleDefinition, leaf: SyntaxNode, inner: Scope): void {
    const opener = this.#opened.at(-1)
    const isOpener = opener?.scope === inner && !definition.parameter
      && this.#around.at(-1) === opener.node && leaf.field === 'name'
    const scope = isOpener && inner.parent ? inner.parent : inner
    const { name, kind, container, shared, parameter } = definition
    const declared: Declared = {
      name, kind, isParameter: parameter, line: leaf.line, column: leaf.column, unit: this.unit,
      container: container === undefined ? [] : container.split('.'), isLocal: !shared, scope,
      from: this.#at, node: this.#around.at(-1) ?? leaf, ...(isOpener && { body: inner }),
    }
    const { hoists, statements } = this.unit.table
    const isHoisted = kind !== 'variable' && hoists && !statements.has(declared.node.type)
    if (scope.kind !== 'block' || isHoisted) declared.from = 0
    this.#typeOf(declared, leaf)
    if (isOpener && inner.kind === 'type') inner.owner = declared
    const pending = this.#pending.at(-1)
    if (pending?.scope === scope && declared.from > 0) {
      declared.from = Infinity
      pending.declared.push(declared)
    }
    this.unit.declared.set(`${leaf.line}:${leaf.column}`, declared)
    addTo(scope.names, name, declared)
  }

  /** Notes where the type and value of a variable are written. */
  #typeOf(declared: Declared, leaf: SyntaxNode): void {
    let child = leaf
    let index = 0
    const at = this.#pending.at(-1)?.at ?? this.#at
    for (const holder of this.#around.toReversed().slice(0, 4)) {
      const value = valueIn(holder, child)
      if (value && !declared.value) declared.value = { node: value, index, at }
      const type = fieldOf(holder, holder.type === 'instanceof_expression' ? 'right' : 'type')
      if (type && type !== child && !/^(?:tuple_struct|struct)_pattern$/.test(holder.type)) {
        if (type.text !== 'var') declared.type = type
        return
      }
      if (!TRANSPARENT.has(holder.type)) return
      if (holder.type === 'expression_list') index = holder.children.indexOf(child)
      child = holder
    }
  }
}

/** Nodes between a name and its declaration. */
const TRANSPARENT = new Set(['expression_list', 'variable_declarator', 'mut_pattern', 'parenthesized_pattern'])

function valueIn(holder: SyntaxNode, child: SyntaxNode): SyntaxNode | undefined {
  switch (holder.type) {
    case 'variable_declarator': return holder.children.at(-1) === child ? undefined : holder.children.at(-1)
    case 'short_var_declaration': return child.field === 'left' ? fieldOf(holder, 'right') : undefined
    case 'let_declaration':
    case 'var_spec': return fieldOf(holder, 'value')
    default: return undefined
  }
}
