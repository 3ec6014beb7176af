/** Decorators that make a method an attribute. */
export const PROPERTIES = new Set([
  'property', 'cached_property', 'abstractproperty', 'lazyproperty', 'locked_cached_property',
])
/** Types that stand for one of those in their brackets. */
export const WRAPPERS = new Set([
  'Optional', 'Union', 'Final', 'ClassVar', 'Awaitable', 'Required', 'NotRequired', 'ReadOnly',
])
/** Types that say nothing. */
export const UNTYPED = new Set([
  'Any', 'object', 'TypeVar', 'Callable', 'Self', 'Generic', 'Protocol', 'None', 'AnyStr',
])
/** What every object has. */
export const OBJECT_NAMES = new Set([
  '__class__', '__dict__', '__doc__', '__eq__', '__ne__', '__hash__', '__init__', '__new__', '__repr__', '__str__',
  '__setattr__', '__getattribute__', '__delattr__', '__reduce__', '__reduce_ex__', '__sizeof__', '__name__',
  '__qualname__', '__module__', '__subclasses__', '__mro__', '__bases__', 'mro', '__format__', '__dir__',
  '__init_subclass__', '__annotations__', '__slots__',
])
/** Names that Python has without an import. */
export const BUILTIN_NAMES = new Set((''
  + 'ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError '
  + 'BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError '
  + 'ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception '
  + 'ExceptionGroup False FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError '
  + 'ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError '
  + 'KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError None NotADirectoryError NotImplemented '
  + 'NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError '
  + 'RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration '
  + 'SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError True TypeError UnboundLocalError '
  + 'UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError '
  + 'Warning WindowsError ZeroDivisionError __build_class__ __builtins__ __debug__ __doc__ __file__ __import__ '
  + '__loader__ __name__ __package__ __path__ __spec__ abs aiter all anext any ascii bin bool breakpoint bytearray '
  + 'bytes callable chr classmethod compile complex copyright credits delattr dict dir divmod enumerate eval exec '
  + 'exit filter float format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass '
  + 'iter len license list locals map max memoryview min next object oct open ord pow print property quit range '
  + 'repr reveal_type reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip '
).trim().split(' '))
