import type { Rule } from '../commands/call.js'
import type { DangerName } from '../dangers.js'

const STATEMENTS: readonly (readonly [pattern: RegExp, danger: DangerName])[] = [
  [
    new RegExp(
      String.raw`\bdrop\s+(?:temporary\s+|if\s+exists\s+)*(?:table|database|schema|keyspace|index|view`
      + String.raw`|materialized|user|role|sequence|function|trigger|type|owned|column|tablespace|procedure`
      + String.raw`|extension)\b|\balter\s+table\s[^;]*\bdrop\b`,
      'i',
    ),
    'SQL DROP',
  ],
  [/(?:^|[;(]|\b(?:begin|then)\b)\s*truncate\s+[\w"`[.]|\btruncate\s+table\b/i, 'SQL TRUNCATE'],
  [/\b(?:dropDatabase|dropIndexes)\s*\(|\.\s*(?:drop|dropCollection)\s*\(/, 'database reset'],
  [/\.(?:remove|deleteMany)\s*\(\s*(?:\{\s*\})?\s*\)/, 'database reset'],
  [/\b(?:flushall|flushdb)\b/i, 'database reset'],
]
const OF_ROWS = /\bdelete\s+from\s+\S|\bupdate\s+(?:\S+\s+){1,4}?set\b/i
/** A condition that all rows meet. */
const ALL_ROWS = /^\s*\(?\s*(?:(\d+)\s*=\s*\1|true|''\s*=\s*''|1|not\s+false)\s*\)?\s*$/i

/** The danger of a text for a database: SQL, Redis or MongoDB. */
export function sqlDanger(text: string): DangerName | undefined {
  const plain = text
    .replace(/\/\*[^]*?\*\//g, ' ')
    .replace(/--[^\n]*/g, ' ')
    .replace(/'(?:[^'\\]|\\.|'')*'/g, "''")
    .replace(/"(?:[^"\\]|\\.)*"/g, '""')
    .replace(/\s+/g, ' ')
  const danger = STATEMENTS.find(([pattern]) => pattern.test(plain))?.[1]
  if (danger) return danger
  const isWhole = plain.split(';').some((statement) => {
    const where = /\bwhere\b(.*)$/i.exec(statement)?.[1]
    return OF_ROWS.test(statement) && (where === undefined || ALL_ROWS.test(where))
  })
  return isWhole ? 'SQL DELETE without WHERE' : undefined
}

export const DATABASE_CLIENTS = 'psql pgcli mysql mariadb mycli sqlite sqlite3 litecli duckdb usql sqlcmd sqlplus '
  + 'cqlsh clickhouse clickhouse-client bq snowsql cockroach hive trino mongo mongosh redis-cli valkey-cli'

/** A database client: each argument, all of them together, and its input may be statements. */
export const sqlClient: Rule = ({ args, stdin }) =>
  [...args.map((arg) => arg.replace(/^--?\w+=/, '')), stdin, args.join(' ')].map(sqlDanger).find(Boolean)
