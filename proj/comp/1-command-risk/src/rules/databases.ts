import { isKnown } from '../shell/taint.js'
import { always, firstOf, when, type Rule } from './rule.js'
import { sqlDanger } from './sql.js'

/** A database client: arguments and input may be statements. */
const client: Rule = ({ args, stdin }) => {
  for (const text of [...args, isKnown(stdin) ? stdin : stdin]) {
    const danger = sqlDanger(text.replace(/^--?\w+=/, ''))
    if (danger) return danger
  }
  return undefined
}
const shell: Rule = firstOf(client, ({ args }) => sqlDanger(args.join(' ')))
const CLIENTS = [
  'psql',
  'mysql',
  'mariadb',
  'sqlite3',
  'sqlite',
  'duckdb',
  'mongosh',
  'mongo',
  'sqlcmd',
  'cqlsh',
  'clickhouse-client',
  'clickhouse',
  'bq',
  'snowsql',
  'sqlplus',
  'pgcli',
  'mycli',
  'litecli',
  'usql',
  'influx',
  'cockroach',
  'isql',
  'osql',
  'db2',
  'hive',
  'beeline',
  'spark-sql',
  'trino',
  'presto',
  'redis-cli',
  'valkey-cli',
  'keydb-cli',
  'supabase',
  'wrangler',
  'turso',
  'surreal',
  'cypher-shell',
]
const framework = when(
  new RegExp(
    String.raw`\bdb:(?:drop|reset|purge|schema:load|wipe|migrate:reset|setup)\b|\bmigrate:(?:fresh|reset`
    + String.raw`|refresh)\b|\bschema:drop\b|\bdb:truncate`,
  ),
  'database reset',
)
const python = when(/manage\.py\s+(?:flush|reset_db|sqlflush|reset_schema)\b/, 'database reset')

export const DATABASE_RULES: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(CLIENTS.map((name) => [name, shell])),
  dropdb: always('SQL DROP'),
  dropuser: always('SQL DROP'),
  mysqladmin: when(/\b(?:drop|shutdown|flush-\w+)\b/, 'SQL DROP'),
  pg_dropcluster: always('SQL DROP'),
  pg_restore: when(/(?:^|\s)(?:-\w*c|--clean)\b/, 'SQL DROP'),
  rails: framework,
  rake: framework,
  'bin/rails': framework,
  artisan: framework,
  php: when(
    /artisan\s+(?:migrate:(?:fresh|reset|refresh)|db:wipe)|console\s+doctrine:(?:database|schema):drop/,
    'database reset',
  ),
  python,
  python3: python,
  './manage.py': python,
  'manage.py': when(/^(?:flush|reset_db)\b/, 'database reset'),
  prisma: when(/^(?:migrate\s+reset|db\s+push\b.*--(?:force-reset|accept-data-loss)|db\s+execute)/, 'database reset'),
  sequelize: when(/^db:drop/, 'database reset'),
  'sequelize-cli': when(/^db:drop/, 'database reset'),
  typeorm: when(/^schema:drop/, 'database reset'),
  knex: when(/^migrate:rollback\b.*--all/, 'database reset'),
  wp: when(/^(?:db\s+(?:reset|drop|clean)|site\s+(?:delete|empty))/, 'database reset'),
  alembic: when(/^downgrade\s+base\b/, 'database reset'),
  flyway: when(/\bclean\b/, 'database reset'),
  liquibase: when(/\bdrop-?all\b/i, 'database reset'),
  drush: when(/\bsql[:-]drop\b/, 'database reset'),
  rabbitmqctl: when(/\b(?:reset|force_reset|purge_queue|delete_\w+)\b/, 'database reset'),
  etcdctl: when(/^del\b.*--(?:prefix|from-key)/, 'database reset'),
  consul: when(/^kv\s+delete\b.*-recurse/, 'database reset'),
}
