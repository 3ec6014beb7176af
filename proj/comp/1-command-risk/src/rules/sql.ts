import type { Rule } from '../commands/call.js'
import type { DangerName } from '../dangers.js'

/** The danger of a text for a database: SQL, Redis or MongoDB. */
export function sqlDanger(text: string): DangerName | undefined {
  const plain = text
    .replace(/\/\*[^]*?\*\//g, ' ')
    .replace(/--[^\n]*/g, ' ')
    .replace(/'(?:[^'\\]|\\.|'')*'/g, "''")
    .replace(/"(?:[^"\\]|\\.)*"/g, '""')
    .replace(/\s+/g, ' ')
  if (
    new RegExp(
      String.raw`\bdrop\s+(?:temporary\s+|if\s+exists\s+)*(?:table|database|schema|keyspace|index|view`
      + String.raw`|materialized|user|role|sequence|function|trigger|type|owned|column|tablespace|procedure`
      + String.raw`|extension)\b`,
      'i',
    ).test(
      plain,
    )
  )
    return 'SQL DROP'
  if (/\balter\s+table\s[^;]*\bdrop\b/i.test(plain)) return 'SQL DROP'
  if (
    /(?:^|[;(]|\b(?:begin|then)\b)\s*truncate\s+(?:table\s+)?[\w"`[.]/i.test(plain)
    || /\btruncate\s+table\b/i.test(plain)
  )
    return 'SQL TRUNCATE'
  for (const statement of plain.split(';')) {
    const isAll = /\bdelete\s+from\s+\S/i.test(statement) || /\bupdate\s+(?:\S+\s+){1,4}?set\b/i.test(statement)
    const where = /\bwhere\b(.*)$/i.exec(statement)?.[1]
    if (
      isAll
      && (where === undefined || /^\s*\(?\s*(?:(\d+)\s*=\s*\1|true|''\s*=\s*''|1|not\s+false)\s*\)?\s*$/i.test(where))
    )
      return 'SQL DELETE without WHERE'
  }
  if (
    new RegExp(
      String.raw`\b(?:dropDatabase|dropIndexes)\s*\(|\.\s*(?:drop|dropCollection)\s*\(|\.(?:remove`
      + String.raw`|deleteMany)\s*\(\s*(?:\{\s*\})?\s*\)`,
    ).test(
      plain,
    )
  )
    return 'database reset'
  return /\b(?:flushall|flushdb)\b/i.test(plain) ? 'database reset' : undefined
}

export const DATABASE_CLIENTS = 'psql pgcli mysql mariadb mycli sqlite sqlite3 litecli duckdb usql sqlcmd sqlplus '
  + 'cqlsh clickhouse clickhouse-client bq snowsql cockroach mongo mongosh redis-cli valkey-cli'

/** A database client: each argument, all of them together, and its input may be statements. */
export const sqlClient: Rule = ({ args, stdin }) =>
  [...args.map((arg) => arg.replace(/^--?\w+=/, '')), stdin, args.join(' ')].map(sqlDanger).find(Boolean)
