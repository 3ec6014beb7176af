import { always, firstOf, when, type Rule } from './rule.js'

const docker: Rule = firstOf(
  when(
    new RegExp(
      String.raw`(?:^|\s)(?:--privileged|--pid[= ]host|--cap-add[= ](?:ALL|SYS_ADMIN)|(?:-v`
      + String.raw`|--volume)[= ]?(?:/|~|/etc\S*|/root|/home|/var/run/docker\.sock)(?::|\S*docker\.sock)`
      + String.raw`|--mount\s\S*(?:source|src)=/(?:,|etc|root|var/run/docker))`,
    ),
    'container escape',
  ),
  when(
    /^(?:system|volume|builder)\s+prune\b|^(?:container|image|network)\s+prune\b.*(?:-\w*[af]|--all|--force)/,
    'container removal',
  ),
  when(
    /^(?:volume|image|container)?\s*(?:rm|rmi|remove|kill|stop)\b(?=.*(?:[\ue000-\ue005]|\$))(?!.*--help)/,
    'container removal',
  ),
  when(/^(?:volume\s+(?:rm|remove)|rmi?\s+(?:\S+\s+)*(?:-\w*[fv]\w*|--force|--volumes))\b/, 'container removal'),
  when(/^(?:compose\s+)?(?:\S+\s+)*down\b.*(?:\s-\w*v\b|--volumes|--rmi)/, 'container removal'),
  when(/^(?:swarm\s+leave.*(?:-f|--force)|stack\s+rm|service\s+rm|context\s+rm|push)\b/, 'container removal'),
)

const kubectl: Rule = firstOf(
  when(/(?:^|\s)(?:delete|drain)\b(?!.*--dry-run)/, 'cloud deletion'),
  when(/(?:^|\s)(?:scale\b.*--replicas[= ]0\b|replace\b.*--force)/, 'cloud deletion'),
)

const terraform = when(
  /(?:^|\s)(?:destroy\b|apply\b.*(?:-destroy|-auto-approve)|state\s+rm\b|force-unlock\b|workspace\s+delete\b)/,
  'cloud deletion',
)
const clouds = when(
  /(?:^|\s)(?:delete|destroy|terminate|purge|remove|deregister)(?:-[\w-]+)?(?=\s|$)/,
  'cloud deletion',
)

const npm: Rule = firstOf(
  when(
    /^(?:publish|unpublish|deprecate|access|owner\s+(?:add|rm)|dist-tag\s+(?:add|rm)|token)\b(?!.*--dry-run)/,
    'release',
  ),
)

export const CLOUD_RULES: Readonly<Record<string, Rule>> = {
  docker,
  podman: docker,
  nerdctl: docker,
  'docker-compose': docker,
  kubectl,
  oc: kubectl,
  k: kubectl,
  helm: when(/^(?:uninstall|delete|rollback)\b/, 'cloud deletion'),
  terraform,
  tofu: terraform,
  terragrunt: when(/\bdestroy|-auto-approve/, 'cloud deletion'),
  pulumi: when(/^(?:destroy|stack\s+rm|up\b.*(?:-y|--yes))/, 'cloud deletion'),
  cdk: when(/^destroy\b/, 'cloud deletion'),
  serverless: when(/^remove\b/, 'cloud deletion'),
  sls: when(/^remove\b/, 'cloud deletion'),
  aws: firstOf(
    when(/^s3\s+(?:rb\b|rm\b.*--recursive|sync\b.*--delete|mv\b.*--recursive)/, 'cloud deletion'),
    when(/\s(?:delete|terminate|deregister|purge|remove|schedule-key-deletion)(?:-[\w-]+)?(?=\s|$)/, 'cloud deletion'),
  ),
  gcloud: clouds,
  az: clouds,
  doctl: clouds,
  linode: clouds,
  gsutil: when(/(?:^|\s)(?:rb\b|rm\b.*-r|-m\s+rm)/, 'cloud deletion'),
  rclone: when(/^(?:delete|purge|sync|rmdirs)\b/, 'cloud deletion'),
  mc: when(/^(?:rm\b.*(?:--recursive|-r)|rb)\b/, 'cloud deletion'),
  s3cmd: when(/^(?:del|rb|rm)\b/, 'cloud deletion'),
  gh: when(
    new RegExp(
      String.raw`^(?:repo\s+(?:delete|archive|edit)|release\s+(?:delete|create)|secret\s+(?:delete|remove|set)`
      + String.raw`|api\b.*(?:-X|--method)[= ]?DELETE|pr\s+merge|issue\s+delete|run\s+delete|auth\s+token)`,
    ),
    'cloud deletion',
  ),
  glab: when(/\bdelete\b/, 'cloud deletion'),
  heroku: when(/(?::destroy|pg:reset|:remove|^ps:scale .*=0)/, 'cloud deletion'),
  vercel: when(/^(?:rm|remove)\b/, 'cloud deletion'),
  netlify: when(/:delete/, 'cloud deletion'),
  flyctl: when(/\bdestroy\b/, 'cloud deletion'),
  fly: when(/\bdestroy\b/, 'cloud deletion'),
  firebase: when(/:(?:delete|disable)\b/, 'cloud deletion'),
  vagrant: when(/^destroy\b/, 'cloud deletion'),
  virsh: when(/^(?:destroy|undefine|vol-delete)\b/, 'cloud deletion'),
  eksctl: when(/^delete\b/, 'cloud deletion'),
  kind: when(/^delete\b/, 'cloud deletion'),
  minikube: when(/^delete\b/, 'cloud deletion'),
  'ansible-playbook': () => undefined,
  ipfs: () => undefined,
  npm,
  pnpm: npm,
  yarn: when(/^(?:npm\s+)?publish\b/, 'release'),
  cargo: when(/^(?:publish|yank|owner)\b(?!.*--dry-run)/, 'release'),
  twine: when(/^upload\b/, 'release'),
  gem: when(/^(?:push|yank)\b/, 'release'),
  poetry: when(/^publish\b(?!.*--dry-run)/, 'release'),
  hatch: when(/^publish\b/, 'release'),
  flit: when(/^publish\b/, 'release'),
  vsce: when(/^(?:publish|unpublish)\b/, 'release'),
  mvn: when(/(?:^|\s)deploy\b/, 'release'),
  dotnet: when(/^nuget\s+(?:push|delete)\b/, 'release'),
  nuget: when(/^(?:push|delete)\b/i, 'release'),
  uv: when(/^publish\b/, 'release'),
  lerna: always('release'),
}
