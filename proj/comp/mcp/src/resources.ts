import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server'
import { isRecord, type HermesError } from '../../contracts/src/index.js'
import { renderMarkdownReport } from '../../reports/src/index.js'
import { listRuns } from '../../transaction/src/index.js'
import type { Desk, KeptReport } from './desk.js'

const RUNS = 'hermes://runs'
const REPORTS = 'hermes://reports/'
const JSON_TYPE = 'application/json'
/** Runs on record that are listed. */
const MOST_RUNS = 100

export const TEMPLATES: ResourceTemplateType[] = [
  { name: 'run', uriTemplate: `${RUNS}/{runId}`, mimeType: JSON_TYPE, description: 'One run as hermes log has it.' },
  { name: 'report', uriTemplate: `${REPORTS}{number}`, mimeType: 'text/markdown', description: 'The report of an answer that was run here.' },
]

export function reportUri({ number }: KeptReport): string {
  return `${REPORTS}${number}`
}

/** The reports of this connection, the runs on record, and the files of the working context. */
export async function listResources(desk: Desk, root: string): Promise<Resource[]> {
  const files = await contextFiles(desk, root)
  return [
    { uri: RUNS, name: 'runs', title: 'Runs on record', mimeType: JSON_TYPE, description: 'What hermes log lists; hermes undo takes the last one back.' },
    ...desk.reports.map((report) => ({
      uri: reportUri(report), name: `report ${report.number}`, mimeType: 'text/markdown',
      description: `${report.result.success ? 'Succeeded' : 'Failed'}, ${report.result.totalBlocks} blocks`,
    })).reverse(),
    ...files.map(({ uri, path }) => ({ uri, name: path, description: 'A file of the working context.' })),
  ]
}

/** `undefined` where there is no such resource. @throws HermesError where it cannot be read */
export async function readResource(
  uri: string, desk: Desk, root: string, fail: (error: Pick<HermesError, 'message' | 'code'>) => Error,
): Promise<ReadResourceResult | undefined> {
  if (uri === RUNS || uri.startsWith(`${RUNS}/`)) {
    const runs = await listRuns(root, MOST_RUNS)
    const found: unknown = uri === RUNS ? runs : runs.find(({ runId }) => uri === `${RUNS}/${runId}`)
    return found === undefined ? undefined : text(uri, JSON_TYPE, JSON.stringify(found, null, 2))
  }
  if (uri.startsWith(REPORTS)) {
    const report = desk.reports.find((one) => reportUri(one) === uri)
    return report && text(uri, 'text/markdown', renderMarkdownReport(report.result))
  }
  const file = (await contextFiles(desk, root)).find((one) => isSameFile(one.uri, uri))
  if (!file) return undefined
  // As any verb: the policy has its say.
  const { results: [read] } = await desk.current.call([{ name: 'file_read', arguments: { path: file.path } }])
  const content = isRecord(read?.data) ? read.data['content'] : undefined
  if (read?.success === true && typeof content === 'string') return text(uri, 'text/plain', content)
  throw fail({ code: read?.code ?? 'INTERNAL', message: read?.error ?? 'It cannot be read' })
}

interface ContextFile {
  uri: string
  /** As it was added. */
  path: string
}

async function contextFiles(desk: Desk, root: string): Promise<ContextFile[]> {
  const { results: [listed] } = await desk.current.call([{ name: 'context_list', arguments: {} }])
  if (listed?.success !== true || !Array.isArray(listed.data)) return []
  return listed.data.flatMap((item: unknown) => {
    const path = isRecord(item) ? item['path'] : undefined
    return typeof path === 'string' ? [{ path, uri: pathToFileURL(resolve(root, path)).href }] : []
  })
}

/** One file may be written in several ways. */
function isSameFile(own: string, given: string): boolean {
  if (own === given) return true
  if (!URL.canParse(given) || new URL(given).protocol !== 'file:') return false
  try {
    return fileURLToPath(own) === fileURLToPath(given)
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

function text(uri: string, mimeType: string, content: string): ReadResourceResult {
  return { contents: [{ uri, mimeType, text: content }] }
}
