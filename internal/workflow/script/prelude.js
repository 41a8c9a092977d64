// Prepares the global object of one run: takes away what doc.go says a script has
// not, bounds the built-ins that make large strings in one step, and returns a
// function that publishes the variables and returns the one that collects the outcome.
(function () {
  const parse = JSON.parse, stringify = JSON.stringify;
  const define = Object.defineProperty, own = Object.prototype.hasOwnProperty, call = Function.prototype.call;
  const has = call.bind(own);
  const longest = 1 << 20;

  const refuse = function () {
    throw new TypeError('code from strings is not available in scripts');
  };
  for (const f of [function () {}, function* () {}, async function () {}]) {
    define(Object.getPrototypeOf(f), 'constructor', { value: refuse, writable: false, configurable: false });
  }
  for (const name of ['eval', 'Function', 'Promise', 'Proxy', 'BigInt', 'ArrayBuffer', 'SharedArrayBuffer', 'DataView',
    'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array',
    'Float16Array', 'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array', 'WeakRef', 'FinalizationRegistry']) {
    delete globalThis[name];
  }
  for (const name of ['repeat', 'padStart', 'padEnd']) {
    const original = call.bind(String.prototype[name]);
    define(String.prototype, name, {
      writable: true, configurable: true,
      value: function (count, ...rest) {
        const length = name === 'repeat' ? String(this).length * count : count;
        if (length > longest) {
          throw new RangeError('the text would be longer than ' + longest + ' characters');
        }
        return original(this, count, ...rest);
      },
    });
  }

  return function (input, limit) {
    const variables = parse(input), changed = [];
    let used = 0;
    const store = function (name, value) {
      const text = stringify(value === undefined ? null : value);
      if (text === undefined) {
        throw new TypeError('the value of ' + name + ' is not data');
      }
      used += text.length;
      if (used > limit) {
        throw new RangeError('the script stores more than ' + limit + ' bytes');
      }
      return text;
    };
    const fields = variables.execution;
    for (const name in variables) {
      define(globalThis, name, { value: variables[name], writable: true, configurable: true, enumerable: true });
    }
    const execution = fields !== null && typeof fields === 'object' ? fields : {};
    define(globalThis, 'execution', { value: execution, writable: false, configurable: false });
    execution.getVariable = function (name) { return has(variables, name) ? variables[name] : null; };
    execution.hasVariable = function (name) { return has(variables, name); };
    execution.getVariables = function () { return parse(stringify(variables)); };
    execution.setVariable = function (name, value) {
      if (typeof name !== 'string' || name === '') {
        throw new TypeError('setVariable needs the name of a variable');
      }
      const text = store(name, value);
      changed[changed.length] = stringify(name) + ':' + text;
      define(variables, name, { value: parse(text), writable: true, configurable: true, enumerable: true });
    };
    return function (result) {
      const kind = typeof result;
      const data = kind === 'function' || kind === 'symbol' ? null : result;
      return '{"Changed":{' + changed.join(',') + '},"Result":' + store('the result', data) + '}';
    };
  };
})()
