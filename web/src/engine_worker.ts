// The worker around the engine: first the compiled module, then a question a message, JSON both ways.
interface EngineModule {
  _ricochet_answer(request: number): number;
  _malloc(size: number): number;
  _free(place: number): void;
  UTF8ToString(place: number): string;
  stringToUTF8(text: string, place: number, size: number): void;
  lengthBytesUTF8(text: string): number;
}
type Receive = (instance: WebAssembly.Instance, module: WebAssembly.Module) => void;
// What emscripten wrote stands before this script.
declare const ricochet_engine: (options: { instantiateWasm: (imports: WebAssembly.Imports, receive: Receive) => object }) => Promise<EngineModule>;

let engine: Promise<EngineModule>;

function begin(module: WebAssembly.Module): void {
  engine = ricochet_engine({
    instantiateWasm: (imports, receive) => {
      void WebAssembly.instantiate(module, imports).then((instance) => receive(instance, module));
      return {};
    },
  });
}

async function answer(request: string): Promise<string> {
  const made = await engine;
  const size = made.lengthBytesUTF8(request) + 1;
  const place = made._malloc(size);
  made.stringToUTF8(request, place, size);
  try {
    return made.UTF8ToString(made._ricochet_answer(place));
  } finally {
    made._free(place);
  }
}

onmessage = (event: MessageEvent<WebAssembly.Module | string>) => {
  if (typeof event.data !== "string") begin(event.data);
  // What is thrown here reaches the page as an error of its worker.
  else void answer(event.data).then(postMessage, (error) => setTimeout(() => { throw error; }));
};
