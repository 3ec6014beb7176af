import { flagName } from '../../../0-text/src/index.js'
import type { CommandText, Flag } from './command-text.js'
import { TOPIC_GROUPS, type Topic } from './topics.js'

/** docs/commands.md. */
export function commandsPage(commands: readonly CommandText[]): string {
  return `# Commands

<!-- Derived from the table of commands (hermes help --markdown); a test fails when it is stale (UPDATE_DOCS=1 writes it). Do not edit. -->

${commands.map(({ name, summary }) => `- [\`hermes ${name}\`](#hermes-${name}): ${summary}`).join('\n')}

Every command takes \`--help\`; \`hermes --version\` shows the version. \`hermes help TOPIC\` explains a command, a topic or a code.

${commands.map(commandSection).join('\n\n')}
`
}

/** docs/README.md: the list of pages. */
export function docsIndex(): string {
  return `# The pages, by what one wants to do

<!-- Derived from the topics of hermes help; a test fails when it is stale (UPDATE_DOCS=1 writes it). Do not edit. -->

The pages write \`hermes\` for the command. In a clone that is \`npx hermes\`; where the package is installed
(\`npm install -g\` with the file that \`npm pack\` makes in the clone) it is \`hermes\`. Each page is also
\`hermes help NAME\`, and the code of a failure \`hermes help CODE\`.

${TOPIC_GROUPS.map(({ title, topics }) => `## ${title}\n\n${topics.map(indexLine).join('\n')}`).join('\n\n')}
`
}

function indexLine({ name, title, page }: Topic): string {
  return `- [${name}](${page.replace('docs/', '')}): ${title}`
}

function flagRow(flag: Flag): string {
  return `| \`${flagName(flag).trim().replaceAll('|', '\\|')}\` | ${escaped(flag.help)} |`
}

function commandSection({ name, summary, usage, about, flags, example, exits }: CommandText): string {
  return [
    `## hermes ${name}`,
    `${summary}.`,
    `\`\`\`text\n${usage.map((line) => `hermes ${line}`).join('\n')}\n\`\`\``,
    escaped(about.join(' ')),
    ['| flag | does |', '| --- | --- |', ...flags.map(flagRow)].join('\n'),
    `\`\`\`text\n${example.line}\n\`\`\`\n\n${escaped(example.does)}.`,
    `Exit codes: ${exits.map(([code, meaning]) => `${code}: ${escaped(meaning)}`).join('; ')}.`,
  ].filter((part) => part !== '').join('\n\n')
}

function escaped(text: string): string {
  return text.replaceAll(/[|<>*_[\]]/g, '\\$&')
}

/** A manual page, in man(7). */
export function manPage(commands: readonly CommandText[], version: string): string {
  return [
    `.TH HERMES 1 "" "hermes ${roff(version)}" "User Commands"`,
    '.SH NAME', 'hermes \\- run the blocks of a language model\'s answer',
    '.SH SYNOPSIS', '.B hermes', '.I COMMAND', '[options]',
    '.SH DESCRIPTION', roff("hermes finds the blocks in a language model's answer, runs each on its own, "
      + "and says per block what happened."),
    '.SH COMMANDS',
    ...commands.flatMap(({ name, summary, usage, about, flags, example, exits }) => [
      `.SS ${name}`, roff(`${summary}.`), '.nf', ...usage.map((line) => `\\fBhermes\\fR ${roff(line)}`), '.fi', '.PP',
      ...about.map(roff),
      ...flags.flatMap((flag) => ['.TP', `\\fB${roff(flagName(flag).trim())}\\fR`, roff(flag.help)]),
      '.PP', 'Example:', '.nf', roff(example.line), '.fi', '.PP',
      roff(`Exit codes: ${exits.map(([code, meaning]) => `${code}: ${meaning}`).join('; ')}.`),
    ]),
    '.SH FILES', '.TP', '\\fB~/.hermes/config.yaml\\fR', 'What runs of yours may do.', '.TP', '\\fBhermes.yaml\\fR',
    'What runs in this project may do; the stricter counts.',
    '.TP', '\\fB.hermes/\\fR', 'Journals of runs, in their root.', '',
  ].join('\n')
}

/** Escapes what has a meaning in roff: backslashes, dashes, and dots and quotes at the beginning of a line. */
function roff(text: string): string {
  return text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replace(/^([.'])/, '\\&$1')
    .replaceAll(/[^\0-\x7f]/g, (sign) => `\\[u${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`)
}
