import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { type Cluster, startCluster } from '@/testing/machines/app-cluster'

const usage = `tsx bench/cluster/main.ts [--instances 3] [--pool 10]

Several servers of the production build over one throwaway Postgres, behind PgBouncer. Ctrl+C stops them.`

const { values } = parseArgs({
  options: {
    instances: { type: 'string', default: '3' },
    pool: { type: 'string', default: '10' },
    help: { type: 'boolean', default: false },
  },
})
const [instances, poolSize] = [Number(values.instances), Number(values.pool)]
if (values.help || !(instances >= 1) || !(poolSize >= 1)) {
  console.log(usage)
  process.exit(values.help ? 0 : 2)
}

const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
let cluster: Cluster | undefined
// one that is still starting ends with this process, like everything it has started
void interrupted.then(() => cluster ?? process.exit(130))

cluster = await startCluster({ instances, poolSize })
console.log(`servers   ${cluster.urls.join('  ')}\ndatabase  ${cluster.databaseUrl}\n\nCtrl+C stops them.`)
await interrupted
await cluster.stop()
process.exit(0)
