/**
 * An extension in TypeScript: moves what an answer does into another directory, and shows an answer as a page.
 *
 * Node 22.18 runs it as it is: hermes ext run --command relocate --message answer.md -- node relocate.mts
 */
import { defineExtension, type CommandContext, type MessageBlock } from 'hermes/extension'

const PATHS = ['path', 'old_path', 'new_path', 'file_path', 'source', 'destination']

defineExtension({
  name: 'relocate',
  version: '1.0.0',
  description: 'Moves what an answer does into another directory',
  commands: { relocate, preview },
})

/** Writes the directory that the user chooses in place of `/workspace` in the parameters of all blocks. */
async function relocate({ editor, ui }: CommandContext): Promise<string> {
  const { revision } = await editor.getMessage()
  const { blocks } = await editor.getBlocks()
  const moved = blocks.flatMap(block => pathsOf(block).map(parameter => ({ block, parameter })))
  if (moved.length === 0) return 'nothing to relocate'

  const directory = await ui.selectDirectory({ title: 'What does /workspace stand for?' })
  if (directory === null) return 'nothing was chosen'
  if (!await ui.showConfirm(`Change ${moved.length} paths to ${directory}?`)) return 'nothing was changed'

  const { success, patchesApplied, errors = [] } = await editor.patchMessage(
    moved.map(({ block, parameter }) => ({
      path: `${placeOf(block, blocks)}.${parameter}`,
      value: String(block.params[parameter]).replace(/^\/workspace(?=\/|$)/, directory),
    })),
    { revision },
  )
  if (!success) await ui.showMessage(errors.map(error => `${error.path}: ${error.message}`).join('\n'), { kind: 'warning' })
  return `${patchesApplied} paths changed`
}

function pathsOf({ params }: MessageBlock): string[] {
  return PATHS.filter(name => /^\/workspace(\/|$)/.test(String(params[name] ?? '')))
}

/** The second block with the id `abc` is `abc[2]`. */
function placeOf(block: MessageBlock, blocks: readonly MessageBlock[]): string {
  return `${block.id}[${blocks.filter(({ id }) => id === block.id).indexOf(block) + 1}]`
}

/** Shows the blocks as a page in the browser, until the user has seen them. */
async function preview({ editor, ui }: CommandContext): Promise<void> {
  const { blocks, errors } = await editor.getBlocks()
  const rows = blocks.map(({ id, action, startLine, params }) => (
    `<tr><td>${startLine}<td>${escape(id)}<td>${escape(action)}<td><pre>${escape(JSON.stringify(params, null, 2))}</pre>`
  ))
  const window = await ui.openWindow({
    title: 'Blocks of the answer',
    html: `<!doctype html><title>Blocks</title><p>${blocks.length} blocks, ${errors.length} errors<table>${rows.join('')}</table>`,
  })
  await ui.showConfirm('Close the page?', { buttons: 'okCancel' })
  await ui.closeWindow(window)
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
}
