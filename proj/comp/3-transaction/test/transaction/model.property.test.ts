import fc from 'fast-check'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { HermesError } from '../../../0-contracts/src/index.js'
import type { UndoOutcome } from '../../src/transaction/index.js'
import { RunModel, type Change, type Outcome } from './run-model.js'
import { Root } from './root.js'

const NAMES = ['a', 'b', 'd/c', 'd/e/f', 'g/c'] as const
const RUNS = Number(process.env['RUNS'] ?? 25)
/** One fixed set of sequences, so that what is found elsewhere is no chance failure here. */
const SEED = Number(process.env['SEED'] ?? 5)

type Step =
  | { do: 'run'; changes: Change[] }
  | { do: 'move directory'; from: string; to: string }
  | { do: 'edit'; name: string; text: string | null }
  | { do: 'remove directory'; name: string }
  | { do: 'undo' } | { do: 'redo' }
  | { do: 'undo one'; of: number }

const name = fc.constantFrom(...NAMES)
const text = fc.option(fc.string({ maxLength: 3 }), { nil: null })
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ by: fc.constant('verb' as const), name, text }) },
  { weight: 2, arbitrary: fc.record({ by: fc.constant('move' as const), name, to: name }) },
  { weight: 1, arbitrary: fc.record({ by: fc.constant('command' as const), name, text }) },
)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.array(change, { minLength: 1, maxLength: 4 }).map((changes): Step => ({ do: 'run', changes })) },
  { weight: 2, arbitrary: fc.constantFrom<Step>({ do: 'move directory', from: 'd', to: 'g' }, { do: 'move directory', from: 'g', to: 'd' }) },
  { weight: 3, arbitrary: fc.record({ name, text }).map((edit): Step => ({ do: 'edit', ...edit })) },
  { weight: 1, arbitrary: fc.constantFrom<Step>({ do: 'remove directory', name: 'd' }, { do: 'remove directory', name: 'g' }) },
  { weight: 5, arbitrary: fc.constant<Step>({ do: 'undo' }) },
  { weight: 3, arbitrary: fc.constant<Step>({ do: 'redo' }) },
  { weight: 2, arbitrary: fc.nat(5).map((of): Step => ({ do: 'undo one', of })) },
)

/** A sequence as it goes on, in a real root and in the model. */
class Sequence {
  readonly root: Root
  readonly model: RunModel
  #runs = 0

  constructor(hasGit: boolean) {
    this.root = hasGit ? Root.repository({}) : new Root()
    this.model = new RunModel(hasGit, (path) => existsSync(join(this.root.directory, path)))
  }

  /** @returns what became of it, and what should have */
  async take(one: Step): Promise<{ outcome: Outcome; predicted: Outcome }> {
    const { root, model } = this
    const done = { outcome: 'ok', predicted: 'ok' } as const
    switch (one.do) {
      case 'run':
        return { ...done, outcome: await this.#run(one.changes) }
      case 'move directory':
        await this.#moveDirectory(one.from, one.to)
        return done
      case 'edit':
        this.#put(one.name, one.text)
        model.edit(one.name, one.text)
        return done
      case 'remove directory':
        rmSync(join(root.directory, one.name), { recursive: true, force: true })
        model.removeDirectory(one.name)
        return done
      case 'undo one': {
        const target = this.#idOf(one.of % Math.max(1, this.#runs))
        const predicted = model.undo(target)
        return { outcome: await outcomeOf(() => root.undo({ target })), predicted }
      }
      default: {
        const predicted = model[one.do]()
        return { outcome: await outcomeOf(() => root[one.do]()), predicted }
      }
    }
  }

  /** Directories are looked at by the tests of examples. */
  files(): Record<string, string> {
    const found = Object.entries(this.root.tree()).filter(([, state]) => state !== 'directory')
    return Object.fromEntries(found.map(([path, state]) => [path, state.slice(4)]))
  }

  predictedFiles(): Record<string, string> {
    return Object.fromEntries([...this.model.files].map(([path, content]) => [path, Buffer.from(content).toString('latin1')]))
  }

  #idOf(index: number): string {
    return `run-0000-${index}`
  }

  async #run(changes: readonly Change[]): Promise<Outcome> {
    const { root, model } = this
    const runId = this.#idOf(this.#runs)
    const transaction = root.transaction({ runId })
    const done = model.run(runId, changes)
    if (done.length > 0) this.#runs++
    for (const one of done) {
      await transaction.beforeBlock(one.by === 'command' ? 'exec' : 'write')
      if (one.by === 'move') {
        transaction.files.makeDirectories(root.gate.approve(join(one.to, '..'), 'write'))
        transaction.files.move(root.gate.approve(one.name, 'remove'), root.gate.approve(one.to, 'write'))
      } else if (one.by === 'verb') root.change(transaction, one.name, one.text)
      else this.#put(one.name, one.text)
      transaction.afterBlock(one.by === 'command' ? 'exec' : 'write')
    }
    const { fatalError } = await transaction.finish({ blocks: 1, failures: 0, subject: 'changes', lines: [] })
    return fatalError === undefined ? 'ok' : 'partial'
  }

  async #moveDirectory(from: string, to: string): Promise<void> {
    const { root, model } = this
    const runId = this.#idOf(this.#runs)
    if (!model.moveDirectory(runId, from, to)) return
    this.#runs++
    const transaction = root.transaction({ runId })
    await transaction.beforeBlock('write')
    transaction.files.move(root.gate.approve(from, 'remove'), root.gate.approve(to, 'write'))
    await transaction.finish({ blocks: 1, failures: 0, subject: 'move', lines: [] })
  }

  #put(path: string, content: string | null): void {
    if (content === null) rmSync(join(this.root.directory, path), { force: true })
    else this.root.put({ [path]: content })
  }
}

/** Where it is not known what commands changed, the undo of all the rest is no success either. */
async function outcomeOf(act: () => Promise<UndoOutcome>): Promise<Outcome> {
  try {
    const { success, left, warnings } = await act()
    const isUnknown = warnings.some((warning) => warning.startsWith('Commands ran: what they changed is not known'))
    return success || (isUnknown && left.length === 0) ? 'ok' : 'partial'
  } catch (error) {
    if (!(error instanceof HermesError)) throw error
    if (error.code === 'NOTHING_TO_UNDO') return 'nothing'
    if (error.code === 'CHANGED_ON_DISK') return 'changed'
    throw error
  }
}

describe.each([['with git', true], ['without git', false]])('runs, foreign edits, undos and redos %s', (_, hasGit) => {
  it('end in the tree that the model predicts', async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
      const sequence = new Sequence(hasGit)
      for (const one of steps) {
        const { outcome, predicted } = await sequence.take(one)
        expect(outcome).toBe(predicted)
        expect(sequence.files()).toEqual(sequence.predictedFiles())
      }
      if (hasGit) sequence.root.git('fsck', '--strict')
    }), { numRuns: hasGit ? RUNS : RUNS * 4, seed: SEED })
  })
})
