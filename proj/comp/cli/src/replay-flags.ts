import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { HermesError, isNodeError } from '../../contracts/src/index.js'
import { parameterDefinitions, VerbRegistry } from '../../registry/src/index.js'
import {
  readFolderSettings, toolsetDistribution, type FolderSettings, type ReplayOptions, type ToolsetDraw,
  type WorkspaceSource,
} from '../../replay/src/index.js'
import { loadMapping, type KnownParameters, type ToolMapping } from '../../tool-mapping/src/index.js'
import { exportFormat, TRANSCRIPT_FORMATS, type TranscriptFormat } from '../../transcripts/src/index.js'
import { VERBS } from '../../verbs/src/index.js'
import { applyOptions } from './apply-options.js'
import { oneOf, usageError, type Arguments } from './arguments.js'
import { consentOptions } from './consent.js'
import { decidingSettings } from './replay-settings.js'

/** How the transcripts of one path are read and run. */
export interface PathPlan {
  path: string
  options: ReplayOptions
  /** Directories that hold no transcripts. */
  except: readonly string[]
  /** Files and directories that its `replay.yaml` names, and this itself. */
  reads: readonly string[]
}

/** @throws HermesError `INVALID_OPTION` */
export function transcriptFormat(args: Arguments): TranscriptFormat | undefined {
  const written = args.value('format')
  return written === undefined ? undefined : oneOf('format of transcripts', written, TRANSCRIPT_FORMATS)
}

/**
 * What the flags and the `replay.yaml` of each path say; flags count more.
 *
 * @throws HermesError `INVALID_OPTION`, `INVALID_MAPPING`
 */
export async function replayPlans(args: Arguments, signal: AbortSignal): Promise<PathPlan[]> {
  const { root: _, dryRun: __, ...given } = applyOptions(args)
  const consent = consentOptions({ yes: args.has('yes'), usesStdin: true, signal })
  const format = args.value('export') === undefined && args.value('run') === undefined ? undefined
    : exportFormat(args.value('export-as') ?? 'sharegpt')
  const mappings = new Map<string, Promise<ToolMapping>>()
  const mappingOf = (names: readonly string[]): Promise<ToolMapping> => {
    const key = names.join('\0')
    const loading = mappings.get(key) ?? loadMapping(names, parametersOf)
    mappings.set(key, loading)
    return loading
  }
  return Promise.all(args.positionals.map(async (path): Promise<PathPlan> => {
    const settings = await settingsOf(path)
    const own = args.values('mapping')
    const draw = toolsetDraw(args, settings)
    const mapping = await mappingOf(own.length > 0 ? own : settings.mappings ?? ['common'])
    const execution = {
      ...given,
      ...(!args.has('root-alias') && settings.rootAliases && { rootAliases: settings.rootAliases }),
      ...optional('relativePaths', args.has('relative-paths') ? true : settings.relativePaths),
      ...(!args.has('edit-format') && settings.editFormats && { editFormats: settings.editFormats }),
      ...(!args.has('toolset') && settings.toolsets && { toolsets: settings.toolsets }),
      ...consent,
    }
    return {
      path,
      except: settings.except,
      reads: settings.reads,
      options: {
        workspace: workspaceOf(args, settings),
        mapping,
        execution,
        toolsetDraw: draw,
        expect: expectation(args.value('expect')) ?? settings.expect,
        expectWithin: args.has('expect') ? undefined : settings.folder,
        exportFormat: format,
        decides: {
          ...await decidingSettings({ mapping: mapping.hash, format, execution }),
          ...(draw && { 'toolset-distribution': JSON.stringify(draw) }),
        },
        keepResults: args.has('update'),
        signal,
      },
    }
  }))
}

/** @throws HermesError `INVALID_OPTION` */
export function toolsetDraw(
  args: Arguments, { toolsetDistributions }: Partial<FolderSettings>,
): ToolsetDraw | undefined {
  const [name, written] = [args.value('toolset-distribution'), args.value('seed') ?? '0']
  if (!/^\d{1,15}$/.test(written)) throw usageError(`Invalid seed: ${written}`, '--seed is a whole number from 0 up.')
  if (name === undefined) {
    if (args.has('seed')) {
      throw usageError('--seed is for --toolset-distribution', 'Write --toolset-distribution NAME --seed N.')
    }
    return undefined
  }
  if (args.has('toolset')) {
    throw usageError('--toolset and --toolset-distribution cannot be given together', 'Give one of them.')
  }
  return { distribution: toolsetDistribution(name, toolsetDistributions), seed: Number(written) }
}

/** A flag that is not given says nothing: a recording may. */
function optional(name: 'relativePaths', value: boolean | undefined): { relativePaths?: boolean } {
  return value === true ? { [name]: true } : {}
}

export function workspaceOf(args: Arguments, { fixture, folder }: Partial<FolderSettings>): WorkspaceSource {
  const [directory, ref] = [args.value('fixture'), args.value('git')]
  if (ref !== undefined) {
    if (ref.startsWith('-')) throw usageError(`Not a commit: ${ref}`, 'Give a branch, a tag or a hash.')
    return { kind: 'git', repository: resolve(args.value('repo') ?? '.'), ref }
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

/** Of the folder itself, or of the folder a file is in. */
async function settingsOf(path: string): Promise<FolderSettings> {
  try {
    return await readFolderSettings(statSync(path).isDirectory() ? path : dirname(path))
  } catch (error) {
    if (error instanceof HermesError || !isNodeError(error)) throw error
    // What cannot be looked at is told when it is read.
    return { except: [], reads: [], folder: path }
  }
}

const registry = new VerbRegistry(VERBS)
/** What mappings are held against. */
export const parametersOf: KnownParameters = async (name) => {
  const verb = await registry.load(name)
  return verb && Object.keys(parameterDefinitions(verb.args))
}
