/** Runs rolldown with what all parts of the build have in common. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

export const root = fileURLToPath(new URL('../../..', import.meta.url))

/** @returns rolldown's output: chunks with their code, names and module ids */
export async function bundle({ output, ...input }) {
  const built = await rolldown({
    cwd: root,
    treeshake: true,
    ...input,
    resolve: { extensionAlias: { '.js': ['.ts', '.tsx', '.js'] }, ...input.resolve },
    plugins: [packagesOfRoot, absentPackages, absentParts],
    onLog(level, log, report) {
      // A module that is not found is a mere warning, and would fail at run time only.
      // How long plugins took says something of the machine alone.
      report(level === 'warn' && log.code !== 'PLUGIN_TIMINGS' ? 'error' : level, log)
    },
  })
  try {
    return (await built.write(output)).output
  } finally {
    await built.close()
  }
}

/** The sources lie beside the packages that tests need; what is built has the packages of the root alone. */
const packagesOfRoot = {
  name: 'packages-of-root',
  resolveId: {
    filter: { id: /^[@a-z]/ },
    handler(id, importer, options) {
      if (!importer?.startsWith(join(root, 'proj'))) return null
      return this.resolve(id, join(root, 'package.json'), { ...options, skipSelf: true })
    },
  },
}

/**
 * Packages that others load where they happen to be installed: an accelerator, sensors of a Mac, drivers that hermes
 * has no use for. As it loads no code but its own, they count as not installed, wherever hermes lies.
 */
const ABSENT = [
  'msgpackr-extract', 'osx-temperature-sensor', 'macos-temperature-sensor', 'supports-color', 'pg',
  '@valkey/valkey-glide',
]
const absentPackages = {
  name: 'absent-packages',
  resolveId: {
    order: 'pre',
    filter: { id: new RegExp(`^(?:${ABSENT.join('|')})$`) },
    handler: (id) => `\0absent:${id}.cjs`,
  },
  load: {
    filter: { id: /^\0absent:/ },
    handler: () => `throw Object.assign(new Error('not part of hermes'), { code: 'MODULE_NOT_FOUND' })\nmodule.exports = {}`,
  },
}

/** Parts of packages that need one of those, and that nothing here asks for. */
const absentParts = {
  name: 'absent-parts',
  resolveId: {
    order: 'pre',
    filter: { id: /^\.\/postgres$/ },
    handler: (id, importer) => (/\/node_modules\/bullmq\//.test(importer ?? '') ? '\0absent-part' : null),
  },
  load: {
    filter: { id: /^\0absent-part$/ },
    handler: () => 'export {}',
  },
}

/** Of the files that a bundle was made from, or of directories: the directories of packages, each once. */
export function packagesOf(paths) {
  return [...new Set(paths.map((path) => /.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]).filter(Boolean))]
}

/** What stands in the place of a package that counts as not installed. */
export function isAbsent(id) {
  return id.startsWith('\0absent')
}

export function moduleIdsOf(output) {
  return output.flatMap(({ moduleIds }) => moduleIds ?? [])
}
