// node get.mjs URL OUTPUT downloads a file with fetch of Node.js.
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

const answer = await fetch(process.argv[2]);
if (!answer.ok) {
  console.error(`the host answered ${answer.status}`);
  process.exit(1);
}
await pipeline(Readable.fromWeb(answer.body), createWriteStream(process.argv[3]));
