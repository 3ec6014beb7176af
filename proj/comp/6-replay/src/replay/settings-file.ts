import { statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import * as v from 'valibot'
import { readCheckedYaml } from '../../../2-config/src/index.js'
import { READ_FORMATS, type ReadFormat, HermesError, notArray } from '../../../0-contracts/src/index.js'
import { readInFolder, requireInside } from '../../../2-files/src/index.js'
import { SHIPPED } from '../../../2-mapping/src/index.js'
import type { ToolsetDistribution } from './toolset-distribution.js'

const name = v.pipe(v.string('write a text'), v.minLength(1, 'cannot be empty'))
const flag = v.boolean('write true or false')
const PERCENT = 'write a number from 0 to 100'
const names = v.array(name, 'write a list')

const SETTINGS = notArray(v.strictObject({
  fixture: v.optional(name),
  root_aliases: v.optional(names),
  relative_paths: v.optional(flag),
  mappings: v.optional(names),
  edit_formats: v.optional(v.array(v.picklist(READ_FORMATS, `write ${READ_FORMATS.join(', ')}`), 'write a list')),
  toolsets: v.optional(names),
  toolset_distributions: v.optional(v.record(v.string(), v.record(v.string(), v.pipe(
    v.number(PERCENT), v.minValue(0, PERCENT), v.maxValue(100, PERCENT),
  )), 'write names, and under each toolsets with their percent')),
  expect: v.optional(name),
}, 'write a mapping of names and values'))

/** Contents of a `replay.yaml`, for the transcripts of its folder; paths are absolute. */
export interface FolderSettings {
  fixture?: string | undefined
  rootAliases?: readonly string[] | undefined
  relativePaths?: boolean | undefined
  mappings?: readonly string[] | undefined
  editFormats?: readonly ReadFormat[] | undefined
  toolsets?: readonly string[] | undefined
  toolsetDistributions?: Readonly<Record<string, ToolsetDistribution>> | undefined
  expect?: string | undefined
  /** Directories without transcripts, to skip. */
  except: readonly string[]
  /** Files and directories read besides the transcripts: the file itself, and those that it names. */
  reads: readonly string[]
  /** The folder, within which everything named must lie. */
  folder: string
}

const FILE = 'replay.yaml'
const MOST_BYTES = 1024 * 1024

/**
 * Reads `replay.yaml` of a folder, if it exists. It may name nothing outside of the folder: whoever sends transcripts
 * must not choose what of this machine is copied.
 *
 * @throws HermesError `INVALID_MAPPING` with line and column; `POLICY_DENIED`
 */
export async function readFolderSettings(folder: string): Promise<FolderSettings> {
  const file = join(folder, FILE)
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats) return { except: [], reads: [], folder }
  const hint = 'hermes help replay describes replay.yaml.'
  if (!stats.isFile()) throw new HermesError('INVALID_MAPPING', `${file} is no regular file`, { hint })
  const text = Buffer.from(readInFolder(file, folder, MOST_BYTES)).toString('utf8')
  const source = { text, name: file, code: 'INVALID_MAPPING', hint }
  const { values, error } = await readCheckedYaml(source, SETTINGS)
  const inside = (written: string, ...place: (string | number)[]): string => {
    if (isAbsolute(written) || written.split(/[\\/]/).includes('..')) {
      throw error(place, `${written}: name something inside of the folder`)
    }
    const path = join(folder, written)
    requireInside(fixed(path), folder)
    return path
  }
  const {
    fixture, root_aliases: rootAliases, relative_paths: relativePaths, mappings, edit_formats: editFormats, toolsets,
    toolset_distributions: toolsetDistributions, expect,
  } = values
  const fixturePath = fixture === undefined ? undefined : inside(fixture, 'fixture')
  const isHash = expect?.startsWith('sha256:') === true
  const expectPath = expect === undefined || isHash ? expect : inside(expect, 'expect')
  const mappingFiles =
    mappings?.map((mapping, index) => (Object.hasOwn(SHIPPED, mapping) ? mapping : inside(mapping, 'mappings', index)))
  const except = [fixturePath, isHash ? undefined : expectPath].filter((value) => value !== undefined)
    .map((field) => fixed(field))
  return {
    fixture: fixturePath, rootAliases, relativePaths, mappings: mappingFiles, editFormats, toolsets,
    toolsetDistributions, expect: expectPath, folder, except,
    reads: [file, ...except, ...(mappingFiles ?? []).filter((mappingFile) => !Object.hasOwn(SHIPPED, mappingFile))],
  }
}

/** The part of a path before `{name}`. */
function fixed(written: string): string {
  return join(written.split('{name}')[0] ?? written, '.').replace(/[\\/]$/, '')
}
