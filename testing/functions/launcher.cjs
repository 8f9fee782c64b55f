// Stands in the folder of a function and serves its requests, as the launcher of a host does. It tells its parent how many
// requests it has answered, and how much work goes on: answers under way, and what was given to `waitUntil`.

const http = require('node:http')
const { Readable } = require('node:stream')

process.chdir(__dirname)
require('next/setup-node-env')

const { entry, distDir, isMiddleware } = require('./function.json')
const entryPoint = require(entry)
const requestMeta = { relativeProjectDir: '.', distDir }

let answered = 0
let working = 0

function work(promise) {
  working++
  const end = () => {
    working--
    process.send({ answered, working })
  }
  promise.then(end, end)
}

const waitUntil = (promise) => work(Promise.resolve(promise))

async function answer(request, response) {
  const { handler } = await entryPoint
  if (!isMiddleware) return handler(request, response, { waitUntil, requestMeta })
  const url = new URL(request.url, `https://${request.headers.host}`)
  const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const body = ['GET', 'HEAD'].includes(request.method) ? undefined : Readable.toWeb(request)
  const asked = new Request(url, { method: request.method, headers, body, duplex: 'half' })
  const made = await handler(asked, { waitUntil, requestMeta })
  response.writeHead(made.status, [...made.headers].flat())
  response.end(Buffer.from(await made.arrayBuffer()))
}

const server = http.createServer((request, response) => {
  const over = new Promise((resolve) => response.once('close', resolve))
  over.then(() => answered++)
  work(over)
  answer(request, response).catch((error) => {
    console.error(error)
    response.destroy(error)
  })
})

server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
