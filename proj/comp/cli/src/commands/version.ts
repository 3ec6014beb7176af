import { fileURLToPath } from 'node:url'
import { dirname } from 'node:path'
import { escapeControls, printableJson } from '../../../text/src/index.js'
import type { Arguments } from '../arguments.js'
import type { Program } from '../command.js'
import { EXIT } from '../exit-codes.js'
import { installationAt } from '../installation.js'
import { print } from '../output.js'

/** `hermes version`: which hermes, on what, and how it was installed. */
export async function version(args: Arguments, program: Program): Promise<number> {
  const { kind, directory, words } = installationAt(dirname(fileURLToPath(program.packageFile())))
  const found = {
    version: program.version(), node: process.versions.node, platform: `${process.platform} ${process.arch}`,
    installation: kind, directory,
  }
  print(args.has('json') ? `${printableJson(found)}\n`
    : `hermes ${found.version}\nNode.js ${found.node}, ${found.platform}\n${words}: ${escapeControls(directory)}\n`)
  return EXIT.ok
}
