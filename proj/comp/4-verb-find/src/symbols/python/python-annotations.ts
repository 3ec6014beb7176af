import type { SyntaxNode } from '../../../../2-syntax/src/index.js'
import { type Expression, type Scope, UNKNOWN, type Use } from './python-scopes.js'

interface AnnotationReader {
  expression: (node: SyntaxNode, scope: Scope) => Expression
  use: (place: { line: number; column: number }, use: Use) => void
}

/** Reads a type annotation as an expression, including names in strings. */
export function readAnnotation(node: SyntaxNode, scope: Scope, reader: AnnotationReader): Expression {
  const { children } = node
  switch (node.type) {
    case 'type':
      return children[0] ? readAnnotation(children[0], scope, reader) : UNKNOWN
    case 'generic_type':
    case 'subscript': {
      const [base, ...others] = children
      const args = others.flatMap((other) => (other.type === 'type_parameter' ? other.children : [other]))
      const read = base ? readAnnotation(base, scope, reader) : UNKNOWN
      return { kind: 'item', base: read, index: args.map((arg) => readAnnotation(arg, scope, reader)) }
    }
    case 'member_type':
    case 'union_type':
    case 'binary_operator':
      return {
        kind: 'either',
        of: children.filter(({ field }) => field !== 'operator').map((child) => readAnnotation(child, scope, reader)),
      }
    case 'list':
    case 'tuple':
      for (const child of children) readAnnotation(child, scope, reader)
      return UNKNOWN
    case 'string': {
      const content = children.find(({ type }) => type === 'string_content')
      return content?.text === undefined ? UNKNOWN : written(content, scope, reader)
    }
    default:
      return reader.expression(node, scope)
  }
}

/** Reads a quoted type: dotted names, brackets and bars. */
function written({ text = '', line, column }: SyntaxNode, scope: Scope, reader: AnnotationReader): Expression {
  const words = [...text.matchAll(/[\p{L}_][\p{L}\p{N}_]*|[^\s]/gu)]
  let at = 0
  const read = (): Expression => {
    const parts: Expression[] = []
    for (;;) {
      const word = words[at]
      if (!word || !/^[\p{L}_]/u.test(word[0])) break
      at++
      const place = { line, column: column + word.index }
      let part: Expression = { kind: 'name', name: word[0], scope }
      reader.use(place, { kind: 'name', name: word[0], scope })
      while (words[at]?.[0] === '.' && words[at + 1]) {
        const name = words[at + 1]!
        reader.use({ line, column: column + name.index }, { kind: 'attribute', base: part, name: name[0] })
        part = { kind: 'attribute', base: part, name: name[0] }
        at += 2
      }
      if (words[at]?.[0] === '[') {
        const index: Expression[] = []
        do {
          at++
          index.push(read())
        } while (words[at]?.[0] === ',')
        at++
        part = { kind: 'item', base: part, index }
      }
      parts.push(part)
      if (words[at]?.[0] !== '|') break
      at++
    }
    return parts.length === 1 ? parts[0]! : { kind: 'either', of: parts }
  }
  return text.includes('\n') ? UNKNOWN : read()
}
