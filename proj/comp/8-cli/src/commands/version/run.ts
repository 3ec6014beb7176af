import { escapeControls } from '../../../../0-text/src/index.js'
import { ownInstallation } from '../../../../7-setup/src/index.js'
import type { Arguments } from '../../arguments.js'
import type { Program } from '../../command.js'
import { printFound } from '../../io/output.js'

/** `hermes version`: which hermes, on what, and how it was installed. */
export async function version(args: Arguments, program: Program): Promise<number> {
  const { kind, directory, words, source } = ownInstallation(program.packageFile(), process.argv[1])
  const versions = {
    version: program.version(), node: process.versions.node, platform: `${process.platform} ${process.arch}`,
    installation: kind, directory, source,
  }
  const from = source === undefined ? '' : `, from ${source}`
  return printFound(args, versions, () => [
    `hermes ${versions.version}`, `Node.js ${versions.node}, ${versions.platform}`,
    escapeControls(`${words}${from}: ${directory}`), '',
  ].join('\n'))
}
