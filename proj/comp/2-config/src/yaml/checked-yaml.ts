import { unlessThrown } from '../../../0-contracts/src/index.js'

/** A place in a text, 1-based. */
interface Place {
  line: number
  column: number
}

export interface StrictYaml {
  value: unknown
  /** Place of the value at a path, or with `atKey` of its key; else the nearest known place. */
  locate(path: readonly (string | number)[], atKey: boolean): Place
}

/** The parser recurses for each level, and reports a stack overflow as an error of the text. */
const TOO_DEEP = /call stack/

function inOurWords(code: string, message: string): string {
  if (code === 'MULTIPLE_DOCS') return 'only one document is read'
  return TOO_DEEP.test(message) ? 'nested too deeply' : message
}

/** Parses one document of YAML 1.2 core without aliases and custom tags. Loads the parser. */
export async function parseStrictYaml(
  text: string,
): Promise<StrictYaml | { problems: (Place & { problem: string })[] }> {
  const { isAlias, isMap, isNode, isPair, isScalar, LineCounter, parseDocument, visit } = await import('yaml')
  const lineCounter = new LineCounter()
  const placeOf = (offset: number): Place => {
    const { line, col } = lineCounter.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const document = unlessThrown(RangeError, () => parseDocument(text, {
    lineCounter, prettyErrors: false, logLevel: 'error', version: '1.2', schema: 'core', merge: false,
    stringKeys: true, resolveKnownTags: false,
  }), undefined)
  if (!document) return { problems: [{ line: 1, column: 1, problem: 'nested too deeply' }] }
  const problems = [...document.errors, ...document.warnings].map(({ pos, message, code }) => ({
    ...placeOf(pos[0]), problem: inOurWords(code, message),
  }))
  const { yaml } = document.directives ?? {}
  if (yaml?.explicit === true && yaml.version !== '1.2') {
    problems.push({ line: 1, column: 1, problem: 'only YAML 1.2 is read' })
  }
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node)) {
        problems.push({ ...placeOf(node.range?.[0] ?? 0), problem: 'aliases are not read; write the value out' })
      }
    },
  })
  if (problems.length > 0) return { problems }
  return {
    value: document.toJS(),
    locate(path, atKey) {
      // A missing value has no place: use that of its container.
      for (let length = path.length; length >= 0; length--) {
        const holder = document.getIn(path.slice(0, length - 1), true)
        const pair = isMap(holder) && length > 0
          ? holder.items.find(({ key }) => (isScalar(key) ? key.value : key) === path[length - 1]) : undefined
        const part: unknown = atKey && isPair(pair) ? pair.key : document.getIn(path.slice(0, length), true)
        const node = isNode(part) ? part : isPair(pair) ? pair.key : undefined
        if (isNode(node) && node.range) return placeOf(node.range[0])
      }
      return { line: 1, column: 1 }
    },
  }
}
