import { valueAt } from '../../../../0-text/src/index.js'
import type { SyntaxNode } from '../../../../2-syntax/src/index.js'
import { readAnnotation } from './python-annotations.js'
import { dotted, fieldOf } from './python-nodes.js'
import {
  type Binding, classOfSelf, type Expression, homeOf, newScope, type PythonModule, type PythonSymbol, type Scope,
  UNKNOWN, type Use,
} from './python-scopes.js'

/** Types that `isinstance` implies in a part of the code, by the text of a name or attribute. */
export type Narrowings = ReadonlyMap<string, Expression>

export const NOTHING_NARROWED: Narrowings = new Map()

/** Reads expressions and assignment targets: records the use of each identifier, and bindings. */
export class ExpressionReader {
  narrowings = NOTHING_NARROWED

  constructor(readonly module: PythonModule) {}

  /** What a condition `isinstance(x, T)` implies, alone or joined by `and`. */
  narrowingsOf(condition: SyntaxNode, scope: Scope): Narrowings {
    if (condition.type === 'parenthesized_expression' && condition.children[0]) {
      return this.narrowingsOf(condition.children[0], scope)
    }
    if (condition.type === 'boolean_operator') {
      if (fieldOf(condition, 'operator')?.type !== 'and') return NOTHING_NARROWED
      return new Map(condition.children.flatMap((child) => [...this.narrowingsOf(child, scope)]))
    }
    if (condition.type !== 'call') return NOTHING_NARROWED
    const [callee, list] = condition.children
    const [subject, type] = list?.children ?? []
    if (callee?.text !== 'isinstance' || !subject || !type) return NOTHING_NARROWED
    const text = dotted(subject)
    if (text === undefined) return NOTHING_NARROWED
    return new Map([[text, this.within(NOTHING_NARROWED, () => this.expression(type, scope))]])
  }

  /** Reads something for which these narrowings hold in place of the present ones. */
  within<Result>(narrowings: Narrowings, read: () => Result): Result {
    const before = this.narrowings
    this.narrowings = narrowings
    const result = read()
    this.narrowings = before
    return result
  }

  /** Reads something for which a condition holds, if there is one. */
  given<Result>(condition: SyntaxNode | undefined, scope: Scope, read: () => Result): Result {
    const implied = condition ? this.narrowingsOf(condition, scope) : NOTHING_NARROWED
    return this.within(new Map([...this.narrowings, ...implied]), read)
  }

  parameters(list: SyntaxNode | undefined, body: Scope, scope: Scope): void {
    for (const node of list?.children ?? []) {
      const type = fieldOf(node, 'type')
      const value = fieldOf(node, 'value')
      const annotation = type && this.annotation(type, scope)
      const given = value && this.expression(value, scope)
      const inner = fieldOf(node, 'name') ?? (node.type === 'identifier' ? node : node.children[0])
      const name = inner?.type === 'identifier' ? inner : inner?.children[0]
      if (name?.type !== 'identifier') continue
      const isList = inner?.type === 'list_splat_pattern' || node.type === 'list_splat_pattern'
      const isDict = inner?.type === 'dictionary_splat_pattern' || node.type === 'dictionary_splat_pattern'
      const instance: Expression | undefined = annotation && { kind: 'instance', type: annotation }
      const splat: Expression | undefined = isList
        ? { kind: 'literal', type: 'tuple', parts: [[instance ?? UNKNOWN]] }
        : isDict ? { kind: 'literal', type: 'dict', parts: [[], [instance ?? UNKNOWN]] } : undefined
      const symbol = this.add(body, name, {
        kind: 'parameter', ...(splat ? { value: splat } : {
          ...(annotation && { annotation }), ...(given && { value: given }),
        }),
      })
      body.parameters.push(symbol)
    }
  }

  /** Nothing at the place of an expression, as in unfinished code, is an unknown one. */
  expression(node: SyntaxNode | undefined, scope: Scope): Expression {
    if (!node) return UNKNOWN
    const { children } = node
    switch (node.type) {
      case 'identifier': {
        const name = node.text ?? ''
        this.use(node, { kind: 'name', name, scope })
        const narrowed = this.narrowings.get(name)
        return { kind: 'name', name, scope, ...(narrowed && { narrowed }) }
      }
      case 'dotted_name': {
        const [first, ...others] = children
        let value = this.expression(first, scope)
        for (const other of others) {
          this.use(other, { kind: 'attribute', base: value, name: other.text ?? '' })
          value = { kind: 'attribute', base: value, name: other.text ?? '' }
        }
        return value
      }
      case 'attribute': {
        const attribute = fieldOf(node, 'attribute')
        const base = this.expression(fieldOf(node, 'object'), scope)
        const name = attribute?.text ?? ''
        if (attribute) this.use(attribute, { kind: 'attribute', base, name })
        const narrowed = this.narrowings.size > 0 ? this.narrowings.get(dotted(node) ?? '') : undefined
        return { kind: 'attribute', base, name, ...(narrowed && { narrowed }) }
      }
      case 'call': {
        const list = fieldOf(node, 'arguments')
        const callee = this.expression(fieldOf(node, 'function'), scope)
        if (list?.type === 'generator_expression') {
          return { kind: 'call', callee, args: [this.expression(list, scope)], scope }
        }
        const args = list?.children.flatMap((child) => {
          if (child.type !== 'keyword_argument') return [this.expression(child, scope)]
          const [name, value] = [fieldOf(child, 'name'), fieldOf(child, 'value')]
          if (name) this.use(name, { kind: 'keyword', callee, name: name.text ?? '' })
          this.expression(value, scope)
          return []
        })
        return { kind: 'call', callee, args: args ?? [], scope }
      }
      case 'subscript': {
        const [base, ...index] = children.map((child) => this.expression(child, scope))
        return { kind: 'item', base: base ?? UNKNOWN, index }
      }
      case 'assignment': {
        const [left, right, type] = [fieldOf(node, 'left'), fieldOf(node, 'right'), fieldOf(node, 'type')]
        const annotation = type && this.annotation(type, scope)
        const value = right && this.expression(right, scope)
        if (left) this.bind(left, scope, value, annotation)
        return value ?? UNKNOWN
      }
      case 'augmented_assignment': {
        const [left, right] = [fieldOf(node, 'left'), fieldOf(node, 'right')]
        this.expression(right, scope)
        if (left?.type === 'identifier') this.bind(left, scope, undefined)
        else this.expression(left, scope)
        return UNKNOWN
      }
      case 'named_expression': {
        const name = fieldOf(node, 'name')
        const read = this.expression(fieldOf(node, 'value'), scope)
        if (name) this.bind(name, scope, read)
        return read
      }
      case 'lambda': {
        const body = newScope('function', 'lambda', this.module, scope)
        this.parameters(fieldOf(node, 'parameters'), body, scope)
        const value = fieldOf(node, 'body')
        if (value) body.returns.push(this.expression(value, body))
        return UNKNOWN
      }
      case 'list_comprehension':
      case 'set_comprehension':
      case 'generator_expression':
      case 'dictionary_comprehension':
        return this.within(this.narrowings, () => this.#comprehension(node, scope))
      case 'parenthesized_expression':
      case 'await':
        return this.expression(children[0], scope)
      case 'yield':
        scope.yields.push(this.expression(children[0], scope))
        return UNKNOWN
      case 'conditional_expression': {
        const [value, condition, other] = children
        if (!value || !condition || !other) return this.#all(node, scope)
        this.expression(condition, scope)
        const first = this.given(condition, scope, () => this.expression(value, scope))
        return { kind: 'either', of: [first, this.expression(other, scope)] }
      }
      case 'boolean_operator': {
        const [left, right] = [fieldOf(node, 'left'), fieldOf(node, 'right')]
        if (!left || !right) return this.#all(node, scope)
        const first = this.expression(left, scope)
        const isAnd = fieldOf(node, 'operator')?.type === 'and'
        const second = this.given(isAnd ? left : undefined, scope, () => this.expression(right, scope))
        return { kind: 'either', of: [first, second] }
      }
      case 'list':
      case 'set':
      case 'tuple':
      case 'expression_list': {
        const parts = children.map((child) => this.expression(child, scope))
        return node.type === 'tuple' || node.type === 'expression_list'
          ? { kind: 'literal', type: 'tuple', parts: parts.map((part) => [part]) }
          : { kind: 'literal', type: node.type, parts: [parts] }
      }
      case 'dictionary': {
        const pairs = children.map((child) => child.children.map((part) => this.expression(part, scope)))
        return {
          kind: 'literal', type: 'dict',
          parts: [pairs.flatMap(([key]) => key ?? []), pairs.flatMap(([, value]) => value ?? [])],
        }
      }
      case 'string':
      case 'concatenated_string':
        this.#all(node, scope)
        return { kind: 'literal', type: 'str', parts: [] }
      case 'integer': return { kind: 'literal', type: 'int', parts: [] }
      case 'float': return { kind: 'literal', type: 'float', parts: [] }
      case 'true':
      case 'false':
      case 'not_operator':
      case 'comparison_operator':
        this.#all(node, scope)
        return { kind: 'literal', type: 'bool', parts: [] }
      case 'none': return { kind: 'literal', type: 'None', parts: [] }
      case 'binary_operator': {
        const parts = children.filter(({ field }) => field !== 'operator').map((child) => this.expression(child, scope))
        // `A | B` may be a type; for numbers and strings it is a value of either type.
        return { kind: 'either', of: parts }
      }
      case 'keyword_argument': return this.expression(fieldOf(node, 'value'), scope)
      default:
        return this.#all(node, scope)
    }
  }

  #all(node: SyntaxNode, scope: Scope): Expression {
    for (const child of node.children) this.expression(child, scope)
    return UNKNOWN
  }

  #comprehension(node: SyntaxNode, outer: Scope): Expression {
    const scope = newScope('function', 'comprehension', this.module, outer)
    let isFirst = true
    for (const clause of node.children) {
      if (clause.type === 'for_in_clause') {
        const [left, ...rights] = [fieldOf(clause, 'left'), ...clause.children.filter(({ field }) => field === 'right')]
        // The first iterable is evaluated outside of the comprehension's scope.
        const values = rights.map((right) => this.expression(right, isFirst ? outer : scope))
        isFirst = false
        if (left) this.bind(left, scope, { kind: 'element', base: values[0] ?? UNKNOWN })
      } else if (clause.type === 'if_clause' && clause.children[0]) {
        this.expression(clause.children[0], scope)
        this.narrowings = new Map([...this.narrowings, ...this.narrowingsOf(clause.children[0], scope)])
      }
    }
    const body = fieldOf(node, 'body')
    if (node.type === 'dictionary_comprehension' && body) {
      const [key, value] = body.children.map((child) => this.expression(child, scope))
      return { kind: 'literal', type: 'dict', parts: [key ? [key] : [], value ? [value] : []] }
    }
    return { kind: 'literal', type: 'list', parts: [body ? [this.expression(body, scope)] : []] }
  }

  /** Binds the names in an assignment target. */
  bind(target: SyntaxNode, scope: Scope, value: Expression | undefined, annotation?: Expression): void {
    const binding = { kind: 'variable' as const, ...(value && { value }), ...(annotation && { annotation }) }
    switch (target.type) {
      case 'identifier':
        this.add(scope, target, binding)
        return
      case 'pattern_list':
      case 'tuple_pattern':
      case 'list_pattern':
      case 'tuple':
      case 'list':
        target.children.forEach((child, index) => (
          this.bind(child, scope, { kind: 'nth', base: value ?? UNKNOWN, index })
        ))
        return
      case 'list_splat_pattern':
      case 'parenthesized_expression':
        if (target.children[0]) this.bind(target.children[0], scope, UNKNOWN)
        return
      case 'attribute': {
        const [object, attribute] = [fieldOf(target, 'object'), fieldOf(target, 'attribute')]
        const owner = object?.type === 'identifier' ? classOfSelf(object.text ?? '', scope) : undefined
        if (owner && attribute) this.add(owner, attribute, binding)
        this.expression(target, scope)
        return
      }
      default:
        this.expression(target, scope)
    }
  }

  /** Binds a name, and records that it is used there, unless `use` says of the place what else it is used for. */
  add(scope: Scope, name: SyntaxNode, binding: Omit<Binding, 'line' | 'column'>): PythonSymbol {
    const text = name.text ?? ''
    this.use(name, { kind: 'name', name: text, scope })
    const home = homeOf(scope, text)
    const symbol = valueAt(home.symbols, text, () => ({ name: text, scope: home, bindings: [] }))
    symbol.bindings.push({ ...binding, line: name.line, column: name.column })
    return symbol
  }

  use({ line, column }: { line: number; column: number }, use: Use): void {
    this.module.uses.set(`${line}:${column}`, use)
  }

  annotation(node: SyntaxNode, scope: Scope): Expression {
    return readAnnotation(node, scope, this)
  }
}
