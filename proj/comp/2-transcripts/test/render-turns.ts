import type { Transcript, Turn } from '../src/index.js'

const HISTORIES = new Set(['aider', 'cline', 'gptme', 'openhands'])

/** Turns as lines for goldens: line breaks are written `↵`. */
export function renderTurns({ turns, root, tools, settings, format }: Pick<Transcript, 'turns' | 'root' | 'tools'> & Partial<Transcript>): string[] {
  return [
    ...(root === undefined ? [] : [`root ${root}`]),
    ...(tools === undefined ? [] : [`tools ${JSON.stringify(tools)}`]),
    ...(settings && HISTORIES.has(format ?? '') ? [`settings ${JSON.stringify(settings)}`] : []),
    ...turns.flatMap(renderTurn),
  ]
}

function renderTurn(turn: Turn): string[] {
  if (turn.role === 'results') {
    return turn.results.map(({ callId, text, isError, outcome, place }) => {
      const state = isError === undefined ? '' : isError ? ' failed' : ' ok'
      const at = place && `${place.path.join('.')}${place.section === undefined ? '' : `[${place.section}]`}`
      return `result${callId === undefined ? '' : ` ${callId}`}${state}${outcome ? ' (outcome)' : ''}: ${shown(text)}${at === undefined ? '' : `  @${at}`}`
    })
  }
  if (turn.role !== 'assistant') return [`${turn.role}: ${shown(turn.text)}`]
  return [
    `assistant${turn.settings?.editFormats && !turn.settings.match ? ` ${turn.settings.editFormats.join()}` : ''}`,
    ...(turn.reasoning === '' ? [] : [`  thinks: ${shown(turn.reasoning)}`]),
    ...(turn.text === '' ? [] : [`  says: ${shown(turn.text)}`]),
    ...turn.calls.map(({ id, name, arguments: args, byService }) => `  ${byService ? 'ran at the service' : 'calls'} ${name}${id === undefined ? '' : ` ${id}`}: ${JSON.stringify(args)}`),
  ]
}

function shown(text: string): string {
  return text.replaceAll('\n', '↵')
}
