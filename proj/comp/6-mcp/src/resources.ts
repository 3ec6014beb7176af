import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server'
import { isRecord, orNothing, type HermesError } from '../../0-contracts/src/index.js'
import { isInside, pathOfUri, uriOf } from '../../2-files/src/index.js'
import { renderMarkdownReport } from '../../1-reports/src/index.js'
import { listRuns, type ListedRun } from '../../3-transaction/src/index.js'
import type { ConnectionState, KeptReport } from './connection-state.js'

const RUNS = 'hermes://runs'
const REPORTS = 'hermes://reports/'
const JSON_TYPE = 'application/json'
/** Most recorded runs listed. */
const MOST_RUNS = 100

export const TEMPLATES: ResourceTemplateType[] = [
  { name: 'run', uriTemplate: `${RUNS}/{runId}`, mimeType: JSON_TYPE, description: 'One run as hermes log has it.' },
  {
    name: 'report', uriTemplate: `${REPORTS}{number}`, mimeType: 'text/markdown',
    description: 'The report of an answer that was run here.',
  },
]

/** Determines which resources a client can see. */
export interface ResourceScope {
  connection: ConnectionState
  root: string
  /** Roots that the client named; `undefined` if it sets no limits. */
  within: readonly string[] | undefined
  /** False for a client that has roots and did not name them: it sees nothing. */
  isTold: boolean
}

export function reportUri({ id }: KeptReport): string {
  return `${REPORTS}${id}`
}

/** The client's reports, the recorded runs, and the files of its working context. */
export async function listResources(scope: ResourceScope): Promise<Resource[]> {
  // What clients share belongs to none of them; its address is enough to read a report.
  const reports = scope.connection.isShared ? [] : reportsFor(scope)
  const files = await contextFiles(scope)
  return [
    ...(mayReadRuns(scope)
      ? [{
        uri: RUNS, name: 'runs', title: 'Runs on record', mimeType: JSON_TYPE,
        description: 'What hermes log lists; hermes undo takes the last one back.',
      }]
      : []),
    ...reports.map((report) => ({
      uri: reportUri(report), name: `report ${report.number}`, mimeType: 'text/markdown',
      description: `${report.result.success ? 'Succeeded' : 'Failed'}, ${report.result.totalBlocks} blocks`,
    })).reverse(),
    ...files.map(({ uri, name, lines }) => ({
      uri, name, description: `${lines === undefined ? 'A file' : `Lines ${lines} of a file`} of the working context.`,
    })),
  ]
}

/** `undefined` where there is no such resource. @throws HermesError where it cannot be read */
export async function readResource(
  uri: string, scope: ResourceScope, fail: (error: Pick<HermesError, 'message' | 'code'>) => Error,
): Promise<ReadResourceResult | undefined> {
  if (uri === RUNS || uri.startsWith(`${RUNS}/`)) {
    const runs = mayReadRuns(scope) ? await listRuns(scope.root, MOST_RUNS) : []
    // Changes by extensions are shown only for a single run.
    const value: unknown = uri === RUNS && mayReadRuns(scope) ? runs.map(withoutDiffs)
      : runs.find(({ runId }) => uri === `${RUNS}/${runId}`)
    return value === undefined ? undefined : text(uri, JSON_TYPE, JSON.stringify(value, null, 2))
  }
  if (uri.startsWith(REPORTS)) {
    const report = reportsFor(scope).find((candidate) => reportUri(candidate) === uri)
    return report && text(uri, 'text/markdown', renderMarkdownReport(report.result))
  }
  const listed = await contextFiles(scope)
  const file = listed.find((contextFile) => contextFile.uri === uri)
    ?? listed.find((contextFile) => contextFile.lines === undefined && isSameFile(contextFile.uri, uri))
  if (!file) return undefined
  // Read through a verb, so that policy and roots apply.
  const { path, lines } = file
  const { results: [read] } = await scope.connection.session(scope.within).call([lines === undefined
    ? { name: 'file_read', arguments: { path } }
    : { name: 'file_read_numbered', arguments: { path, lines } }])
  const content = isRecord(read?.data) ? read.data['content'] : undefined
  if (read?.success === true && typeof content === 'string') return text(uri, 'text/plain', content)
  throw fail({ code: read?.code ?? 'INTERNAL', message: read?.error ?? 'It cannot be read' })
}

function withoutDiffs({ rewrites, ...run }: ListedRun): object {
  // What is undefined does not reach the JSON.
  return rewrites ? { ...run, rewrites: rewrites.map((rewrite) => ({ ...rewrite, diff: undefined })) } : run
}

/** Whether the client may read the recorded runs, which concern the whole root. */
function mayReadRuns({ root, within, isTold }: ResourceScope): boolean {
  return isTold
    && (within === undefined || within.some((at) => isInside(orNothing(() => realpathSync.native(at), at), root)))
}

/** Reports made under the same roots, or all if the client's roots include the whole root. */
function reportsFor(scope: ResourceScope): KeptReport[] {
  const { connection: { reports }, within, isTold } = scope
  if (!isTold) return []
  return mayReadRuns(scope) ? reports : reports.filter((run) => JSON.stringify(run.within) === JSON.stringify(within))
}

interface ContextFile {
  uri: string
  /** As it was added. */
  name: string
  /** The file, without the part. */
  path: string
  /** For a part: its present lines. */
  lines?: string
}

/** Of clients that share a connection the context belongs to none. */
async function contextFiles({ connection, root, within, isTold }: ResourceScope): Promise<ContextFile[]> {
  if (!isTold || connection.isShared) return []
  const { results: [listed] } = await connection.session(within).call([{ name: 'context_list', arguments: {} }])
  if (listed?.success !== true || !Array.isArray(listed.data)) return []
  return listed.data.flatMap((item: unknown): ContextFile[] => {
    const { path, lines, file } = isRecord(item) ? item : {}
    if (typeof path !== 'string') return []
    const uri = uriOf(resolve(root, typeof file === 'string' ? file : path))
    if (typeof file !== 'string') return [{ name: path, path, uri }]
    // A part that is no longer found is not a resource.
    if (typeof lines !== 'string') return []
    return [{ name: path, path: file, lines, uri: `${uri}#${encodeURIComponent(path.slice(file.length + 1))}` }]
  })
}

/** Whether two addresses name the same file, which can be written in several ways. */
function isSameFile(own: string, given: string): boolean {
  const path = pathOfUri(given)
  return own === given || (path !== undefined && pathOfUri(own) === path)
}

function text(uri: string, mimeType: string, content: string): ReadResourceResult {
  return { contents: [{ uri, mimeType, text: content }] }
}
