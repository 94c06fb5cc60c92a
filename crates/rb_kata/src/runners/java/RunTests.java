package harness;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs every method marked with {@link Test} in a folder of classes. Writes a JUnit report if a second argument names a file. */
public final class RunTests {
    private static final int MOST_FRAMES = 30;
    private static final int MOST_CAUSES = 5;

    private final StringBuilder report = new StringBuilder();
    private int passed;
    private int failed;

    public static void main(String[] args) throws IOException {
        RunTests run = new RunTests();
        for (String name : classNames(Paths.get(args[0]))) {
            run.runClass(name);
        }
        if (args.length > 1) {
            String xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n" + run.report + "</testsuites>\n";
            Files.write(Paths.get(args[1]), xml.getBytes(StandardCharsets.UTF_8));
        }
        System.out.println("passed: " + run.passed + ", failed: " + run.failed);
        // Threads that a test left behind must not keep the program alive.
        System.out.flush();
        System.exit(run.failed == 0 ? 0 : 1);
    }

    private static List<String> classNames(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(file -> folder.relativize(file).toString())
                    .filter(name -> name.endsWith(".class"))
                    .map(name -> name.substring(0, name.length() - ".class".length()).replace('/', '.'))
                    .sorted()
                    .collect(Collectors.toList());
        }
    }

    private void runClass(String name) {
        List<Method> tests;
        List<Method> before;
        Class<?> type;
        try {
            type = Class.forName(name, false, RunTests.class.getClassLoader());
            tests = marked(type, Test.class);
            before = marked(type, BeforeEach.class);
        } catch (ClassNotFoundException | LinkageError error) {
            failed++;
            report.append("<testsuite name=\"").append(escape(name)).append("\">").append(failure("error", error));
            report.append("</testsuite>\n");
            System.out.println("FAILED  " + name + "\n" + trace(error));
            return;
        }
        if (tests.isEmpty() || Modifier.isAbstract(type.getModifiers())) {
            return;
        }
        report.append("<testsuite name=\"").append(escape(name)).append("\">\n");
        for (Method test : tests) {
            runTest(type, before, test);
        }
        report.append("</testsuite>\n");
    }

    private static List<Method> marked(Class<?> type, Class<? extends java.lang.annotation.Annotation> mark) {
        List<Method> methods = new ArrayList<>();
        for (Method method : type.getDeclaredMethods()) {
            if (method.isAnnotationPresent(mark)) {
                methods.add(method);
            }
        }
        methods.sort(Comparator.comparing(Method::getName));
        return methods;
    }

    private void runTest(Class<?> type, List<Method> before, Method test) {
        long start = System.nanoTime();
        Throwable thrown = null;
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            Object instance = constructor.newInstance();
            for (Method method : before) {
                method.setAccessible(true);
                method.invoke(instance);
            }
            test.setAccessible(true);
            test.invoke(instance);
        } catch (InvocationTargetException error) {
            thrown = error.getCause();
        } catch (Throwable error) {
            thrown = error;
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        report.append(String.format(Locale.ROOT, "<testcase name=\"%s\" classname=\"%s\" time=\"%.6f\">",
                escape(test.getName()), escape(type.getName()), seconds));
        if (thrown == null) {
            passed++;
            System.out.println("passed  " + type.getName() + "." + test.getName());
        } else {
            failed++;
            report.append(failure("failure", thrown));
            System.out.println("FAILED  " + type.getName() + "." + test.getName() + "\n" + trace(thrown));
        }
        report.append("</testcase>\n");
    }

    private static String failure(String element, Throwable thrown) {
        return "<" + element + " message=\"" + escape(String.valueOf(thrown)) + "\">" + escape(trace(thrown)) + "</" + element + ">";
    }

    /** The stack trace down to the test, without what called it. */
    private static String trace(Throwable thrown) {
        StringBuilder text = new StringBuilder();
        Throwable next = thrown;
        for (int causes = 0; next != null && causes < MOST_CAUSES; causes++) {
            text.append(causes == 0 ? "" : "Caused by: ").append(next).append('\n');
            Arrays.stream(next.getStackTrace())
                    .limit(MOST_FRAMES)
                    .filter(frame -> !isRunner(frame.getClassName()))
                    .forEach(frame -> text.append("    at ").append(frame).append('\n'));
            next = next.getCause();
        }
        return text.toString();
    }

    private static boolean isRunner(String name) {
        return name.startsWith("harness.") || name.startsWith("java.lang.reflect.") || name.startsWith("jdk.internal.");
    }

    private static String escape(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(c -> {
            if ("&<>\"\n\r\t".indexOf(c) >= 0) {
                escaped.append("&#").append(c).append(';');
            } else if (c < ' ' || (c >= 0xD800 && c <= 0xDFFF) || c == 0xFFFE || c == 0xFFFF) {
                escaped.append('?');
            } else {
                escaped.appendCodePoint(c);
            }
        });
        return escaped.toString();
    }
}
