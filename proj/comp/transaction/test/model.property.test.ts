import fc from 'fast-check'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { HermesError } from '../../contracts/src/index.js'
import { Root } from './root.js'

const NAMES = ['a', 'b', 'd/c', 'd/e/f'] as const
const RUNS = Number(process.env['RUNS'] ?? 25)

type Files = Record<string, string | undefined>
type Step =
  | { do: 'run'; files: Record<string, string | null> }
  | { do: 'edit'; name: string; text: string | null }
  | { do: 'undo' } | { do: 'redo' }

const name = fc.constantFrom(...NAMES)
const text = fc.option(fc.string({ maxLength: 3 }), { nil: null })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.dictionary(name, text, { minKeys: 1, maxKeys: 3, noNullPrototype: true }).map((files): Step => ({ do: 'run', files })) },
  { weight: 2, arbitrary: fc.record({ name, text }).map((edit): Step => ({ do: 'edit', ...edit })) },
  { weight: 3, arbitrary: fc.constant<Step>({ do: 'undo' }) },
  { weight: 2, arbitrary: fc.constant<Step>({ do: 'redo' }) },
)

/** What should happen, in a few lines: runs as pairs of states by name. */
class Model {
  files: Files = {}
  readonly #applied: { before: Files; after: Files }[] = []
  #undone: { before: Files; after: Files }[] = []

  run(changes: Record<string, string | null>): void {
    const before: Files = {}
    const after: Files = {}
    for (const [path, content] of Object.entries(changes)) {
      if (content === null && this.files[path] === undefined) continue
      before[path] = this.files[path]
      after[path] = content ?? undefined
    }
    if (Object.keys(before).length === 0) return
    Object.assign(this.files, after)
    this.#applied.push({ before, after })
    this.#undone = []
  }

  undo(): 'ok' | 'nothing' | 'changed' {
    return this.#reverse(this.#applied, this.#undone)
  }

  redo(): 'ok' | 'nothing' | 'changed' {
    return this.#reverse(this.#undone, this.#applied)
  }

  #reverse(from: { before: Files; after: Files }[], to: { before: Files; after: Files }[]): 'ok' | 'nothing' | 'changed' {
    const last = from.at(-1)
    if (!last) return 'nothing'
    const isSame = Object.keys(last.after).every((path) => last.before[path] === last.after[path] || this.files[path] === last.after[path])
    if (!isSame) return 'changed'
    Object.assign(this.files, Object.fromEntries(Object.keys(last.before).map((path) => [path, last.before[path]])))
    from.pop()
    to.push({ before: last.after, after: last.before })
    return 'ok'
  }
}

async function outcomeOf(act: () => Promise<unknown>): Promise<string> {
  try {
    await act()
    return 'ok'
  } catch (error) {
    if (!(error instanceof HermesError)) throw error
    return error.code === 'NOTHING_TO_UNDO' ? 'nothing' : 'changed'
  }
}

async function take(root: Root, model: Model, one: Step): Promise<void> {
  if (one.do === 'run') {
    const changes = Object.fromEntries(Object.entries(one.files).filter(([path, content]) => content !== null || model.files[path] !== undefined))
    await root.run(changes)
    model.run(changes)
  } else if (one.do === 'edit') {
    if (one.text === null) rmSync(join(root.directory, one.name), { force: true })
    else root.put({ [one.name]: one.text })
    model.files[one.name] = one.text ?? undefined
  } else {
    expect(await outcomeOf(() => root[one.do]())).toBe(model[one.do]())
  }
}

describe.each([['with git', true], ['without git', false]])('runs, foreign edits, undos and redos %s', (_, hasGit) => {
  it('end in the tree that the model predicts', async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
      const root = hasGit ? Root.repository({}) : new Root()
      const model = new Model()
      for (const one of steps) {
        await take(root, model, one)
        const files = Object.fromEntries(Object.entries(root.tree()).filter(([, state]) => state !== 'directory'))
        const expected = Object.entries(model.files).filter(([, content]) => content !== undefined)
        expect(Object.fromEntries(Object.entries(files).map(([path, state]) => [path, state.slice(4)])))
          .toEqual(Object.fromEntries(expected.map(([path, content]) => [path, Buffer.from(content!).toString('latin1')])))
      }
      if (hasGit) root.git('fsck', '--strict')
    }), { numRuns: hasGit ? RUNS : RUNS * 4 })
  })
})
