'use strict';

const http = require('http');
const { answer } = require('./routes');

const server = http.createServer(async (request, response) => {
  const [status, body] = await answer(request.method, request.url).catch((error) => {
    console.error(error);
    return [500, { error: 'something went wrong' }];
  });
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body === null ? undefined : JSON.stringify(body));
});

server.listen(Number(process.env.PORT ?? 3000));
