import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HermesOptions } from '../../comp/0-contracts/src/index.js'
import { renderReply } from '../../comp/1-reports/src/index.js'
import { Hermes, mendAnswer } from '../../comp/5-executor/src/index.js'
import { readTree, writeTree, type FileTree } from '../../test/support/file-tree.js'
import { readGoldens, type GoldenCase } from '../../test/support/goldens.js'
import { countTokens } from './count-tokens.js'
import { mendFromReply, type Known } from './mender.js'

export interface ReplyRepair {
  name: string
  /** Whether the second answer, written from nothing but the reply, led to the tree that was meant. */
  mended: boolean
  /** What came of its fixes alone: `wrong` where all ran and the tree is another than was meant. */
  withoutTurn: 'mended' | 'none' | 'wrong'
  /** How many values the mender was given, since only the model knows them. */
  given: number
  /** Tokens (o200k) of the first answer, of the reply, and of the second answer. */
  whole: number
  reply: number
  second: number
}

/** What a case says; what the agent's conversation says besides is left out. */
interface Faulty {
  text: string
  options: Partial<HermesOptions>
  before: FileTree
  after: FileTree
  known: Known
}

/** Plays each class of the corpora. @param show gets reply and second answer of those that were not mended */
export async function playFromReplies(
  corpora: readonly URL[], show: (text: string) => void = () => undefined,
): Promise<ReplyRepair[]> {
  const repairs: ReplyRepair[] = []
  for (const golden of corpora.flatMap((corpus) => readGoldens(corpus))) {
    const faulty = readFaulty(golden)
    const { reply, second, tree } = await mendByReply(faulty)
    const { action, change, again, ...values } = faulty.known
    const mended = isSame(tree, faulty.after)
    if (!mended) show(`=== ${golden.name}\n${reply}\n--- second\n${second}\n--- ${JSON.stringify(tree)}\n`)
    repairs.push({
      name: golden.name, mended, withoutTurn: await mendByFixes(faulty),
      given: [action, change, again].filter((each) => each !== undefined).length + Object.keys(values).length,
      whole: countTokens(faulty.text), reply: countTokens(reply), second: countTokens(second),
    })
  }
  return repairs
}

function readFaulty({ fences }: GoldenCase): Faulty {
  const json = (kind: string): unknown => (
    JSON.parse(fences.find(({ info }) => info === `json ${kind}`)?.body ?? '{}')
  )
  const answer = fences.find(({ info }) => /^answer\b/.test(info))
  const { styles: _, ...options } = json('options') as Partial<HermesOptions> & { styles?: unknown }
  const text = answer?.body ?? ''
  return {
    text: / crlf\b/.test(answer?.info ?? '') ? text.replaceAll('\n', '\r\n') : text,
    options, before: json('before') as FileTree, after: json('after') as FileTree, known: json('knows') as Known,
  }
}

async function mendByReply(faulty: Faulty): Promise<{ reply: string; second: string; tree: FileTree }> {
  return inTree(faulty, async (hermes, tree) => {
    const { text, known } = faulty
    const reply = renderReply(await hermes.execute(text), { text })
    const second = mendFromReply(reply, known)
    await hermes.execute(second)
    return { reply, second, tree: tree() }
  })
}

/** Nothing but fixes: what `hermes mend --apply` runs. */
async function mendByFixes(faulty: Faulty): Promise<ReplyRepair['withoutTurn']> {
  return inTree(faulty, async (hermes, tree, options) => {
    const { text, mended, mendedResults } = await mendAnswer(faulty.text, options)
    if (mended.length + mendedResults.length === 0 || !(await hermes.execute(text)).success) return 'none'
    return isSame(tree(), faulty.after) ? 'mended' : 'wrong'
  })
}

async function inTree<Found>(
  { before, options }: Faulty, work: (hermes: Hermes, tree: () => FileTree, options: HermesOptions) => Promise<Found>,
): Promise<Found> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-repair-')))
  writeTree(root, before)
  const given: HermesOptions = {
    root, policy: false, sandbox: 'none', gitCommit: false, relativePaths: true, ...options,
  }
  const hermes = new Hermes(given)
  try {
    return await work(hermes, () => readTree(root), given)
  } finally {
    // No `await using`: the trials bundle this for Node 20.
    await hermes[Symbol.asyncDispose]()
    rmSync(root, { recursive: true, force: true })
  }
}

/** Whatever the order of the names. */
function isSame(one: FileTree, other: FileTree): boolean {
  const lines = (tree: FileTree): string => (
    JSON.stringify(Object.entries(tree).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  )
  return lines(one) === lines(other)
}
