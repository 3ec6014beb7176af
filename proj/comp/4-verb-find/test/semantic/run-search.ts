import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import type { VerbContext } from '../../../0-contracts/src/index.js'
import { contextFor } from '../../../5-executor/test/verbs/golden-harness.js'
import { writeTree } from '../../../../test/support/file-tree.js'
import { semanticSearch } from '../../src/semantic/semantic-search.js'

type Args = v.InferInput<typeof semanticSearch.args>
export type Found = v.InferOutput<typeof semanticSearch.result>

/** A call as the executor makes it: arguments and result are those of the schemas. */
export async function search(context: VerbContext, args: Args): Promise<Found> {
  const checked = v.parse(semanticSearch.args, args)
  semanticSearch.check?.(checked)
  return v.parse(semanticSearch.result, await semanticSearch.handler(checked, context))
}

/** The paths found, each once, best first. */
export async function pathsFor(context: VerbContext, query: string, args: Partial<Args> = {}): Promise<string[]> {
  return [...new Set((await search(context, { query, ...args })).results.map(({ path }) => path))]
}

/** A context on the disk that notes which files are read. */
export function watchedContext(root: string): { context: VerbContext; reads: string[] } {
  const context = contextFor(root, 'disk', { maxFileBytes: 1_000_000, commandTimeoutMs: 5_000 })
  const reads: string[] = []
  const files = new Proxy(context.files, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (name === 'readBytes') reads.push(String(args[0]))
        return Reflect.apply(value, target, args) as unknown
      }
    },
  })
  return { context: { ...context, files }, reads }
}

/** Writes files whose times are long past, so that these prove them unchanged. */
export function plantOld(root: string, tree: Record<string, string>, time = new Date('2020-01-01T00:00:00Z')): void {
  writeTree(root, tree)
  for (const path of Object.keys(tree)) utimesSync(join(root, path), time, time)
}
