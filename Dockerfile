# The images to build in and to run in, both of one Debian. The second has no shell and no package manager.
ARG BUILD_IMAGE=node:24-bookworm-slim
ARG RUN_IMAGE=gcr.io/distroless/cc-debian12

FROM ${BUILD_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY lib/db/driver lib/db/driver
RUN npm ci
COPY . .
# types are a check of `npm test`, whose files are not here
RUN RAMIFY_TYPES_CHECKED=1 npm run build
RUN npm prune --omit=dev && node deploy/slim.mjs && mkdir /data

FROM ${RUN_IMAGE}
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build --chown=1000:1000 /data /data
WORKDIR /app
COPY --from=build /app/package.json /app/package-lock.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/.next .next
COPY --from=build /app/dist dist
COPY --from=build /app/drizzle drizzle
COPY --from=build /app/lib lib
COPY --from=build /app/docs docs
COPY --from=build /app/public public
# the root may be read-only: all that is written is in /data and /tmp
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 HOST=0.0.0.0 PORT=3000 RAMIFY_DATA_DIR=/data
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/api/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# `npm start` without npm, so that the signal to stop reaches the server itself
CMD ["node", "lib/runtime/cli/run.mjs", "serve"]
