import { startPostgres, createDatabase } from './postgres-cluster'
import { spawnSync } from 'node:child_process'
const pg = await startPostgres(); if(!('url' in pg)) throw 1
const db = await createDatabase(pg.url)
console.log(db.url)
const { spawn } = await import('node:child_process')
const c = spawn('playwright',['test',...process.argv.slice(2)],{stdio:'inherit',env:{...process.env,E2E_DATABASE_URL:db.url,TEST_DATABASE_URL:pg.url}})
await new Promise(r=>c.on('exit',r)); await db.drop(); await pg.stop(); process.exit(0)
