import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addPackages } from '../../../../0-contracts/src/index.js'
import { Hermes, unmetRequirement } from '../../../../5-executor/src/index.js'
import type { Check, Finding } from '../finding.js'
import { inScratch } from '../in-scratch.js'

/** Packages that do not work on every machine, each tried with a call that needs it; `verbs` need it. */
const TRIED = [
  {
    id: 'ripgrep', verbs: 'search_files',
    call: { verb: 'search_files', arguments: { query: 'greet', path: 'greet.ts' } },
    fix: `${addPackages('@vscode/ripgrep')}.`,
  },
  {
    id: 'tree-sitter', verbs: 'find_symbol, semantic_search and the symbol_ verbs',
    call: { verb: 'find_symbol', arguments: { symbol_name: 'greet', path: 'greet.ts' } },
    fix: 'Install hermes again: its files are not complete.',
  },
]

/** Optional packages: a note where one is not installed. */
const OPTIONAL: readonly { id: string; packages: readonly string[]; serves: string }[] = [
  { id: 'typescript', packages: ['typescript'], serves: 'get_definition' },
  { id: 'terminals', packages: ['@lydell/node-pty'], serves: 'the terminal_ verbs' },
]

/** Checks packages: by calling verbs, or by looking for files where nothing can be called. */
export const checkPackages: Check = async ({ signal }) => [
  ...await inScratch(async (root) => {
    writeFileSync(join(root, 'greet.ts'), 'export function greet(): void {}\ngreet()\n')
    const hermes = new Hermes({ root, policy: false, gitCommit: false, signal })
    const answer = TRIED.map(({ id, call }) => `\`\`\`json hermes\n${JSON.stringify({ id, ...call })}\n\`\`\``)
      .join('\n\n')
    const { results } = await hermes.execute(answer)
    return TRIED.map(({ id, verbs, fix }): Finding => {
      const result = results.find(({ blockId }) => blockId === id)
      if (result?.success === true) return { id, status: 'ok', title: id, detail: `works (${verbs})` }
      return { id, status: 'warning', title: id, detail: `${verbs}: ${result?.error ?? 'it did not run'}`, fix }
    })
  }),
  ...OPTIONAL.map(({ id, packages, serves }): Finding => {
    const isThere = unmetRequirement({ requires: { packages } }) === undefined
    return isThere ? { id, status: 'ok', title: id, detail: `installed (${serves})` }
      : { id, status: 'note', title: id, detail: `not installed: for ${serves}`, fix: `${addPackages(...packages)}.` }
  }),
]
