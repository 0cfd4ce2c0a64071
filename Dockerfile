FROM docker.io/library/node:24-bookworm-slim AS build
WORKDIR /opt/tocsin
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM docker.io/library/node:24-bookworm-slim
WORKDIR /opt/tocsin
COPY --from=build --chown=root:root /opt/tocsin /opt/tocsin
USER node
EXPOSE 8080 1883 5055
HEALTHCHECK --interval=15s --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node_modules/.bin/node", "server/main.ts"]
