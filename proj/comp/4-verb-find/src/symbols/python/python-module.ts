import type { ApprovedPath } from '../../../../0-contracts/src/index.js'
import type { SyntaxNode } from '../../../../2-syntax/src/index.js'
import { ExpressionReader, NOTHING_NARROWED } from './python-expressions.js'
import { fieldOf, textOf } from './python-nodes.js'
import { type Expression, newScope, type PythonModule, type Scope, UNKNOWN, type Use } from './python-scopes.js'

/** Reads a Python file: its scopes, the bindings in them, and the uses of its identifiers. */
export function readModule(path: ApprovedPath, tree: SyntaxNode): PythonModule {
  const module = { path, uses: new Map<string, Use>() } as PythonModule
  module.scope = newScope('module', '', module)
  new StatementReader(module).block(tree, module.scope)
  module.exports = exportsOf(module, tree)
  return module
}

class StatementReader {
  readonly #read: ExpressionReader

  constructor(private readonly module: PythonModule) {
    this.#read = new ExpressionReader(module)
  }

  /** Reads statements in order; what an `assert` implies holds for those after it. */
  block(node: SyntaxNode, scope: Scope): void {
    const read = this.#read
    read.within(read.narrowings, () => {
      for (const child of node.children) {
        this.#statement(child, scope)
        if (child.type !== 'assert_statement' || !child.children[0]) continue
        read.narrowings = new Map([...read.narrowings, ...read.narrowingsOf(child.children[0], scope)])
      }
    })
  }

  #statement(node: SyntaxNode, scope: Scope): void {
    switch (node.type) {
      case 'import_statement': return this.#importModules(node, scope)
      case 'import_from_statement': return this.#importNames(node, scope)
      case 'future_import_statement': return
      case 'class_definition': return this.#class(node, scope, [])
      case 'function_definition': return this.#function(node, scope, [])
      case 'decorated_definition': return this.#decorated(node, scope)
      case 'global_statement':
      case 'nonlocal_statement':
        for (const name of node.children) {
          scope.elsewhere.set(name.text ?? '', node.type === 'global_statement' ? 'global' : 'nonlocal')
          this.#read.expression(name, scope)
        }
        return
      case 'if_statement':
      case 'elif_clause':
        return this.#if(node, scope)
      case 'for_statement': {
        const [left, right] = [fieldOf(node, 'left'), fieldOf(node, 'right')]
        const values = this.#read.expression(right, scope)
        if (left) this.#read.bind(left, scope, { kind: 'element', base: values })
        return this.#rest(node, scope, [left, right])
      }
      case 'with_statement':
      case 'with_clause':
      case 'block':
      case 'module':
      case 'expression_statement':
        return this.block(node, scope)
      case 'with_item': {
        const [value] = node.children
        if (value?.type === 'as_pattern') this.#as(value, scope, 'entered')
        else if (value) this.#read.expression(value, scope)
        return
      }
      case 'except_clause':
      case 'except_group_clause':
      case 'case_clause':
        for (const child of node.children) {
          if (child.type === 'as_pattern') this.#as(child, scope, 'instance')
          else if (child.type === 'case_pattern') this.#pattern(child, scope)
          else this.#statement(child, scope)
        }
        return
      case 'return_statement': {
        const [value] = node.children
        scope.returns.push(value ? this.#read.expression(value, scope) : { kind: 'literal', type: 'None', parts: [] })
        return
      }
      case 'type_alias_statement': {
        const [left, right] = node.children
        const name = left?.children[0]
        const type = right ? this.#read.annotation(right, scope) : UNKNOWN
        if (name?.type === 'identifier') this.#read.bind(name, scope, type)
        return
      }
      default:
        if (/_statement$|_clause$|^ERROR$/.test(node.type)) this.#rest(node, scope, [])
        else this.#read.expression(node, scope)
    }
  }

  #rest(node: SyntaxNode, scope: Scope, done: readonly (SyntaxNode | undefined)[]): void {
    for (const child of node.children) if (!done.includes(child)) this.#statement(child, scope)
  }

  #if(node: SyntaxNode, scope: Scope): void {
    const condition = fieldOf(node, 'condition')
    const consequence = fieldOf(node, 'consequence')
    if (condition) this.#read.expression(condition, scope)
    this.#read.given(condition, scope, () => consequence && this.#statement(consequence, scope))
    this.#rest(node, scope, [condition, consequence])
  }

  #importModules(node: SyntaxNode, scope: Scope): void {
    for (const child of node.children) {
      const isAliased = child.type === 'aliased_import'
      const [module, local] = isAliased ? child.children : [child, child.children[0]]
      this.#modulesOf(module, '')
      if (!module || !local) continue
      // Further imports of the same package only make more submodules known.
      this.#read.add(scope, local, { kind: 'module', module: isAliased ? textOf(module) : local.text ?? '' })
    }
  }

  /** Each prefix of a dotted name is a module. */
  #modulesOf(name: SyntaxNode | undefined, dots: string): void {
    let module = dots
    for (const part of name?.children ?? []) {
      module += `${module === dots ? '' : '.'}${part.text ?? ''}`
      this.#read.use(part, { kind: 'module', module })
    }
  }

  #importNames(node: SyntaxNode, scope: Scope): void {
    const from = fieldOf(node, 'module_name')
    if (!from) return
    const dots = from.type === 'relative_import' ? (from.children[0]?.text ?? '') : ''
    const named = from.type === 'relative_import' ? from.children[1] : from
    this.#modulesOf(named, dots)
    const module = dots + (named ? textOf(named) : '')
    for (const child of node.children) {
      if (child === from) continue
      if (child.type === 'wildcard_import') {
        scope.stars.push(module)
        continue
      }
      const isAliased = child.type === 'aliased_import'
      const name = isAliased ? child.children[0]?.children[0] : child.children[0]
      const alias = isAliased ? child.children[1] : undefined
      if (!name) continue
      const imported = name.text ?? ''
      this.#read.add(scope, alias ?? name, { kind: 'from', module, imported })
      this.#read.use(name, { kind: 'imported', module, name: imported })
    }
  }

  #decorated(node: SyntaxNode, scope: Scope): void {
    const decorators = node.children.filter(({ type }) => type === 'decorator')
      .map(({ children: [child] }) => this.#read.expression(child, scope))
    const definition = fieldOf(node, 'definition')
    if (definition?.type === 'class_definition') this.#class(definition, scope, decorators)
    else if (definition) this.#function(definition, scope, decorators)
  }

  #class(node: SyntaxNode, scope: Scope, decorators: Expression[]): void {
    const name = fieldOf(node, 'name')
    if (!name) return
    const body = newScope('class', name.text ?? '', this.module, scope)
    body.decorators = decorators
    for (const base of fieldOf(node, 'superclasses')?.children ?? []) {
      const value = this.#read.expression(base, scope)
      if (base.type !== 'keyword_argument') body.bases.push(value)
    }
    this.#read.add(scope, name, { kind: 'class', body })
    const block = fieldOf(node, 'body')
    if (block) this.block(block, body)
  }

  #function(node: SyntaxNode, scope: Scope, decorators: Expression[]): void {
    const name = fieldOf(node, 'name')
    const body = newScope('function', name?.text ?? '', this.module, scope)
    body.decorators = decorators
    const returned = fieldOf(node, 'return_type')
    if (returned) body.annotation = this.#read.annotation(returned, scope)
    // `x.setter` of a property binds the same name again.
    if (name) this.#read.add(scope, name, { kind: 'function', body })
    this.#read.parameters(fieldOf(node, 'parameters'), body, scope)
    const block = fieldOf(node, 'body')
    if (block) this.#read.within(NOTHING_NARROWED, () => this.block(block, body))
  }

  #as(node: SyntaxNode, scope: Scope, kind: 'entered' | 'instance'): void {
    const [value, target] = node.children
    if (!value) return
    const read = this.#read.expression(value, scope)
    const bound: Expression = kind === 'entered' ? { kind, base: read } : { kind, type: read }
    for (const name of target?.children ?? []) this.#read.bind(name, scope, bound)
  }

  #pattern(node: SyntaxNode, scope: Scope): void {
    if (node.type === 'as_pattern') {
      const [pattern, name] = [node.children[0], node.children.at(-1)]
      const classes = pattern?.children.filter(({ type }) => type === 'class_pattern') ?? []
      const [type] = classes.map(({ children: [first] }) => first)
      if (pattern) this.#pattern(pattern, scope)
      if (name?.type === 'identifier') {
        this.#read.bind(name, scope, type ? { kind: 'instance', type: this.#read.expression(type, scope) } : UNKNOWN)
      }
      return
    }
    if (node.type === 'class_pattern') {
      const [type, ...others] = node.children
      const callee = this.#read.expression(type, scope)
      for (const other of others) {
        const keyword = other.children[0]?.type === 'keyword_pattern' ? other.children[0] : undefined
        const [name, value] = keyword?.children ?? []
        if (name?.type === 'identifier') {
          const base: Expression = { kind: 'instance', type: callee }
          this.#read.use(name, { kind: 'attribute', base, name: name.text ?? '' })
        }
        const inner = keyword ? value : other
        if (inner) this.#pattern(inner, scope)
      }
      return
    }
    if (node.type === 'dotted_name') {
      const [name, ...more] = node.children
      if (name && more.length === 0) this.#read.bind(name, scope, UNKNOWN)
      else this.#read.expression(node, scope)
      return
    }
    for (const child of node.children) this.#pattern(child, scope)
  }
}

/** Tells which names of a module `from … import *` takes; all that may be where `__all__` is more than one list. */
function exportsOf({ scope, uses }: PythonModule, tree: SyntaxNode): (name: string) => boolean {
  const known = scope.symbols.get('__all__')
  if (!known) return (name) => !name.startsWith('_')
  const mentions = [...uses.values()].filter((use) => use.kind === 'name' && use.name === '__all__')
  const names = mentions.length === 1 ? listed(tree) : undefined
  return names ? (name) => names.has(name) : () => true
}

/** The strings of `__all__ = ["a", "b"]`, where it holds nothing else. */
function listed(tree: SyntaxNode): Set<string> | undefined {
  const assignments = tree.children.flatMap((statement) => (
    statement.type === 'expression_statement' ? statement.children.filter(({ type }) => type === 'assignment') : []
  ))
  const list = assignments.find((each) => fieldOf(each, 'left')?.text === '__all__')
  const value = list && fieldOf(list, 'right')
  if (!value || !/^(?:list|tuple|expression_list)$/.test(value.type)) return undefined
  const names = value.children.filter(({ type }) => type !== 'comment').map(plainString)
  return names.includes(undefined) ? undefined : new Set(names as string[])
}

function plainString({ type, children }: SyntaxNode): string | undefined {
  const parts = children.filter((child) => child.type === 'string_content')
  return type === 'string' && parts.length === 1 ? parts[0]!.text : undefined
}
