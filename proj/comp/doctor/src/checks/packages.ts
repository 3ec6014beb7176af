import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hermes } from '../../../executor/src/index.js'
import type { Check, Finding } from '../finding.js'
import { inScratch } from '../in-scratch.js'

interface Tried {
  id: string
  title: string
  package: string
  verbs: string
  call: { verb: string; arguments: Record<string, unknown> }
}

/** Each optional package by a call that needs it. */
const TRIED: readonly Tried[] = [
  {
    id: 'ripgrep', title: 'ripgrep', package: '@vscode/ripgrep', verbs: 'search_files',
    call: { verb: 'search_files', arguments: { query: 'greet', path: 'greet.ts' } },
  },
  {
    id: 'tree-sitter', title: 'tree-sitter', package: '@vscode/tree-sitter-wasm',
    verbs: 'find_symbol, semantic_search and the symbol_ verbs',
    call: { verb: 'find_symbol', arguments: { symbol_name: 'greet', path: 'greet.ts' } },
  },
  {
    id: 'typescript', title: 'typescript', package: 'typescript', verbs: 'get_definition',
    call: { verb: 'get_definition', arguments: { file_path: 'greet.ts', line: 2, column: 1 } },
  },
]

/** Whether the verbs that need optional packages work, by calling them. */
export const checkPackages: Check = ({ signal }) => inScratch(async (root) => {
  writeFileSync(join(root, 'greet.ts'), 'export function greet(): void {}\ngreet()\n')
  const hermes = new Hermes({ root, policy: false, gitCommit: false, signal })
  const answer = TRIED.map(({ id, call }) => `\`\`\`json hermes\n${JSON.stringify({ id, ...call })}\n\`\`\``)
    .join('\n\n')
  const { results } = await hermes.execute(answer)
  return TRIED.map(({ id, title, package: name, verbs }): Finding => {
    const result = results.find(({ blockId }) => blockId === id)
    if (result?.success === true) return { id, status: 'ok', title, detail: `works (${verbs})` }
    const why = result?.error ?? 'it did not run'
    return {
      id, status: 'warning', title, detail: `${verbs}: ${why}`,
      fix: `npm ci in the folder of hermes, without --omit=optional; it installs ${name}.`,
    }
  })
})
