import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { caughtLater, isNodeError } from '../../../0-contracts/src/index.js'
import { loadMapping, type ToolMapping } from '../../../2-mapping/src/index.js'
import { exportFormat, TRANSCRIPT_FORMATS, type TranscriptFormat } from '../../../2-transcripts/src/index.js'
import { parametersOf } from '../../../5-executor/src/index.js'
import { oneOf, usageError, valueAt } from '../../../0-text/src/index.js'
import type { ReplayOptions } from './replay-transcript.js'
import { readFolderSettings, type FolderSettings } from './settings-file.js'
import { toolsetDistribution, type ToolsetDraw } from './toolset-distribution.js'
import type { WorkspaceSource } from './workspace.js'
import { decidingSettings } from './replay-settings.js'
import type { ReplaySetup, ToolsetWish, WorkspaceWish } from './replay-setup.js'

/** How to read and run the transcripts of one path. */
export interface PathPlan {
  path: string
  options: ReplayOptions
  /** Directories without transcripts, to skip. */
  except: readonly string[]
  /** The path's `replay.yaml`, and files and directories that it names. */
  reads: readonly string[]
}

/** @throws HermesError `INVALID_OPTION` */
export function transcriptFormat(written: string | undefined): TranscriptFormat | undefined {
  return written === undefined ? undefined : oneOf('format of transcripts', written, TRANSCRIPT_FORMATS)
}

/**
 * Combines the setup with the `replay.yaml` of each path; the setup takes precedence.
 *
 * @throws HermesError `INVALID_OPTION`, `INVALID_MAPPING`
 */
export async function replayPlans(setup: ReplaySetup, signal: AbortSignal): Promise<PathPlan[]> {
  const { execution, mappings: own, program } = setup
  // What is not given says nothing: a recording may.
  const { relativePaths, ...given } = execution
  const format = setup.exportAs === undefined ? undefined : exportFormat(setup.exportAs)
  const mappings = new Map<string, Promise<ToolMapping>>()
  const mappingOf = (names: readonly string[], folder?: string): Promise<ToolMapping> => (
    valueAt(mappings, [folder ?? '', ...names].join('\0'), () => loadMapping(names, parametersOf, folder))
  )
  return Promise.all(setup.paths.map(async (path): Promise<PathPlan> => {
    const settings = await settingsOf(path)
    const draw = toolsetDraw(setup, settings)
    const mapping = await (own.length === 0 && settings.mappings ? mappingOf(settings.mappings, settings.folder)
      : mappingOf(own.length > 0 ? own : ['common']))
    const options = {
      ...given,
      ...((given.rootAliases ?? []).length === 0 && settings.rootAliases && { rootAliases: settings.rootAliases }),
      ...((relativePaths === true || settings.relativePaths === true) && { relativePaths: true }),
      ...(!given.editFormats && settings.editFormats && { editFormats: settings.editFormats }),
      ...(!given.toolsets && settings.toolsets && { toolsets: settings.toolsets }),
    }
    return {
      path,
      except: settings.except,
      reads: settings.reads,
      options: {
        workspace: workspaceOf(setup, settings),
        mapping,
        execution: options,
        toolsetDraw: draw,
        expect: expectation(setup.expect) ?? settings.expect,
        expectWithin: setup.expect === undefined ? settings.folder : undefined,
        exportFormat: format,
        decides: {
          ...await decidingSettings({ mapping: mapping.hash, format, execution: options, program }),
          ...(draw && { 'toolset-distribution': JSON.stringify(draw) }),
        },
        keepResults: setup.keepResults,
        signal,
      },
    }
  }))
}

/** @throws HermesError `INVALID_OPTION` */
export function toolsetDraw(
  { toolsetDistribution: name, seed, execution }: ToolsetWish, { toolsetDistributions }: Partial<FolderSettings>,
): ToolsetDraw | undefined {
  const written = seed ?? '0'
  if (!/^\d{1,15}$/.test(written)) throw usageError(`Invalid seed: ${written}`, '--seed is a whole number from 0 up.')
  if (name === undefined) {
    if (seed !== undefined) {
      throw usageError('--seed is for --toolset-distribution', 'Write --toolset-distribution NAME --seed N.')
    }
    return undefined
  }
  if (execution.toolsets) {
    throw usageError('--toolset and --toolset-distribution cannot be given together', 'Give one of them.')
  }
  return { distribution: toolsetDistribution(name, toolsetDistributions), seed: Number(written) }
}

/** The workspace that is wished for, else that of the folder. @throws HermesError `INVALID_OPTION` */
export function workspaceOf(
  { fixture: directory, git: ref, repo }: WorkspaceWish, { fixture, folder }: Partial<FolderSettings>,
): WorkspaceSource {
  if (ref !== undefined) {
    if (ref.startsWith('-')) throw usageError(`Not a commit: ${ref}`, 'Give a branch, a tag or a hash.')
    return { kind: 'git', repository: resolve(repo ?? '.'), ref }
  }
  if (directory !== undefined) return { kind: 'fixture', directory: resolve(directory) }
  return fixture === undefined ? { kind: 'empty' }
    : { kind: 'fixture', directory: resolve(fixture), ...(folder !== undefined && { within: folder }) }
}

function expectation(written: string | undefined): string | undefined {
  if (written === undefined) return undefined
  if (/^sha256:[0-9a-f]{64}$/.test(written)) return written
  if (written.startsWith('sha256:')) {
    throw usageError(`Not a hash of a tree: ${written}`, '--json prints it as treeHash.')
  }
  return resolve(written)
}

/** The settings of a folder, or of the folder that a file is in. */
async function settingsOf(path: string): Promise<FolderSettings> {
  const settings = async () => readFolderSettings(statSync(path).isDirectory() ? path : dirname(path))
  // Reading the path will report the error.
  return await caughtLater(isNodeError, settings, () => ({ except: [], reads: [], folder: path }))
}

